"""Carry a story out through the product's own services, each event at its own moment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts.actors import Actor
from memories.demo.clock import set_back
from memories.demo.reading import told_reads
from memories.demo.story import Event, Story, dated
from memories.models import Answer, Memory, Question, ReviewItem
from memories.queries.undoing import Work
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory, restore_version
from memories.services.asking import ask
from memories.services.checkpointing import checkpoint_task
from memories.services.comparing import compare_recent
from memories.services.embedding import embed_missing, vectorisers
from memories.services.forgetting import forget_memory
from memories.services.noticing import notice_expired, notice_instructions, notice_unsourced
from memories.services.resolutions.cases import Reply
from memories.services.reviewing import answer_many, give_answer
from memories.services.revising import Revision, revise_memory
from memories.services.saving import Draft, save_memory
from memories.services.undoing import undo_work
from spaces.isolation import inside
from spaces.models import Space

# Who acts: "me" is the person; the others are agents, some with "@instance".
Cast = Callable[[str], Actor]
MOST = 100
LOOKED_AT = (-75, -19, -13, -6, -2)


@dataclass(frozen=True, slots=True)
class Deed:
    """An event with who does it and when."""

    event: Event
    actor: Actor
    moment: datetime


class Teller:
    """Tells one story into one empty space."""

    def __init__(self, space: Space, story: Story, cast: Cast) -> None:
        self._space, self._story, self._cast = space, story, cast
        self._named: dict[str, UUID] = {}
        self._does: Mapping[str, Callable[[Deed], None]] = {
            "save": self._save,
            "again": self._again,
            "revise": self._revise,
            "forget": self._forget,
            "confirm": self._confirm,
            "restore_version": self._restore_version,
            "checkpoint": self._checkpoint,
            "answer": self._answer,
            "lapse": self._lapse,
            "undo": self._undo,
        }

    def tell(self, *, now: datetime) -> None:
        """Carry out every event, oldest first, and look through the space as the worker does.

        All of it is one transaction: a worker beside it sees nothing, or the finished space.
        """
        looks = [now + timedelta(days=day) for day in LOOKED_AT]
        with inside(self._space):
            for moment, event in self._story.moments(now=now):
                while looks and looks[0] < moment:
                    self._look(looks.pop(0))
                with set_back(to=moment):
                    self._does[event.does](Deed(event, self._cast(event.who), moment))
            self._look(now - timedelta(minutes=1))
            told_reads(self._space, self._story, self._cast, now=now)

    def _save(self, deed: Deed) -> None:
        draft = Draft(
            self._text(deed, "content"),
            kind=deed.event.word("kind"),
            path=deed.event.word("path"),
            source=self._text(deed, "source"),
            rationale=self._text(deed, "rationale"),
            author=deed.event.word("author") or "agent",
        )
        saved = save_memory(space=self._space, actor=deed.actor, draft=draft)
        if name := deed.event.word("name"):
            self._named[name] = saved.memory.pk

    def _again(self, deed: Deed) -> None:
        memory = self._memory(deed)
        draft = Draft(
            memory.content,
            kind=memory.kind,
            path=memory.path,
            source=deed.event.word("source"),
            rationale=memory.rationale or "It was said again.",
        )
        save_memory(space=self._space, actor=deed.actor, draft=draft)

    def _revise(self, deed: Deed) -> None:
        revision = Revision(
            content=deed.event.word("content"),
            source=deed.event.word("source") or None,
            rationale=deed.event.word("rationale") or None,
            reason=deed.event.word("reason"),
        )
        memory = self._memory(deed)
        revise_memory(space=self._space, actor=deed.actor, memory_id=memory.pk, revision=revision)

    def _forget(self, deed: Deed) -> None:
        memory, reason = self._memory(deed), deed.event.word("reason")
        forget_memory(space=self._space, actor=deed.actor, memory_id=memory.pk, reason=reason)

    def _confirm(self, deed: Deed) -> None:
        confirm_memory(space=self._space, actor=deed.actor, memory_id=self._memory(deed).pk)

    def _restore_version(self, deed: Deed) -> None:
        number = int(deed.event.word("number"))
        memory = self._memory(deed)
        restore_version(space=self._space, actor=deed.actor, memory_id=memory.pk, number=number)

    def _checkpoint(self, deed: Deed) -> None:
        fields = CheckpointFields(**deed.event.said)
        checkpoint_task(space=self._space, actor=deed.actor, fields=fields)

    def _answer(self, deed: Deed) -> None:
        """Ask about the pair, unless the save asked already, and answer."""
        question, pair = Question(deed.event.word("question")), self._memory(deed)
        other = Memory.objects.get(space=self._space, pk=self._named[deed.event.word("other")])
        ask(question, pair, other=other)
        items = ReviewItem.objects.in_space(self._space).filter(question=question)
        item = items.about([pair.pk]).about([other.pk]).unsettled().get()
        give_answer(Reply(self._space, deed.actor, item.pk), deed.event.word("answer"))

    def _lapse(self, deed: Deed) -> None:
        """Let everything go that has lapsed so far, in one go."""
        notice_expired(self._space)
        items = ReviewItem.objects.in_space(self._space).filter(question=Question.EXPIRED)
        ids = list(items.unsettled().order_by("pk").values_list("pk", flat=True)[:MOST])
        answer_many(space=self._space, actor=deed.actor, item_ids=ids, answer=Answer.LET_LAPSE)

    def _undo(self, deed: Deed) -> None:
        client = self._cast(deed.event.word("client"))
        since = deed.moment + timedelta(days=int(deed.event.word("since")) - deed.event.day)
        work = Work(client.client_key, since.replace(hour=0), client.agent_instance)
        undo_work(space=self._space, actor=deed.actor, work=work)

    def _look(self, moment: datetime) -> None:
        """Compare and notice as the worker would have done then."""
        with set_back(to=moment):
            for vectoriser in vectorisers():
                while embed_missing(self._space, vectoriser).has_more:
                    pass
            while compare_recent(self._space).has_more:
                pass
            for notice in (notice_expired, notice_unsourced, notice_instructions):
                notice(self._space)

    def _memory(self, deed: Deed) -> Memory:
        return Memory.objects.get(space=self._space, pk=self._named[deed.event.word("memory")])

    def _text(self, deed: Deed, name: str) -> str:
        return dated(deed.event.word(name), moment=deed.moment, language=self._story.language)
