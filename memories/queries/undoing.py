"""What would happen if the person took back what an app did."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.utils.dateparse import parse_datetime

from memories.models import Activity, Memory, MemoryVersion, State, Undoing
from memories.rules.reversals import Obstacle, Target, is_known, target
from spaces.isolation import inside
from spaces.models import Space

# As much as one action and one page can hold; what is left comes with the next action.
MOST = 500


@dataclass(frozen=True, slots=True)
class Work:
    """Everything that one app, or one instance of it, did since a moment."""

    client_key: str
    since: datetime
    agent_instance: str = ""

    def is_theirs(self, line: Activity) -> bool:
        is_client = line.client_key == self.client_key and line.at >= self.since
        return is_client and self.agent_instance in {"", line.agent_instance}


@dataclass(frozen=True, slots=True)
class Step:
    """One memory as it is, and how it would be; `version` has the text that would come back."""

    memory: Memory
    target: Target
    version: MemoryVersion | None = None

    @property
    def is_forgotten(self) -> bool:
        return self.state == State.FORGOTTEN != self.memory.state

    @property
    def state(self) -> str:
        return str((self.target.standing or {}).get("state", State.FORGOTTEN))

    @property
    def expires_at(self) -> datetime | None:
        if self.target.standing is None:
            return self.memory.expires_at
        moment = self.target.standing.get("expires_at")
        return parse_datetime(str(moment)) if moment else None

    @property
    def has_other_text(self) -> bool:
        return self.version is not None

    @property
    def has_other_date(self) -> bool:
        return self.expires_at != self.memory.expires_at

    @property
    def changes_anything(self) -> bool:
        is_other_state = self.state != self.memory.state
        return self.has_other_text or is_other_state or self.has_other_date


@dataclass(frozen=True, slots=True)
class LeftAlone:
    memory: Memory
    obstacle: Obstacle


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be taken back, and what would not, newest first."""

    steps: Sequence[Step] = ()
    left_alone: Sequence[LeftAlone] = ()
    has_more: bool = False

    @property
    def seen(self) -> str:
        """Return a digest of what the plan is based on: it is another one after any change."""
        parts = [
            f"{each.memory.pk}:{each.memory.version}:{each.memory.state}" for each in self.steps
        ]
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


def planned_undoing(space: Space, work: Work) -> Plan:
    """Return what taking back this work would do; the space may be entered already."""
    lines = Activity.objects.in_space(space).filter(
        client_key=work.client_key, at__gte=work.since, memory__isnull=False
    )
    if work.agent_instance:
        lines = lines.filter(agent_instance=work.agent_instance)
    with inside(space):
        ids = list(dict.fromkeys(lines.values_list("memory_id", flat=True)))
        return _plan(space, ids, is_theirs=work.is_theirs)


def planned_return(space: Space, undoing: Undoing) -> Plan:
    """Return what taking back an undoing itself would do."""
    with inside(space):
        ids = list(undoing.lines.order_by("-at", "-id").values_list("memory_id", flat=True))
        return _plan(space, ids, is_theirs=lambda line: line.undoing_id == undoing.pk)


def _plan(space: Space, ids: Sequence[UUID], *, is_theirs: Callable[[Activity], bool]) -> Plan:
    kept = ids[:MOST]
    memories = Memory.objects.in_space(space).in_bulk(kept)
    lines: Mapping[UUID, list[Activity]] = defaultdict(list)
    for line in Activity.objects.filter(space=space, memory__in=kept).order_by("at", "id"):
        if line.memory_id:
            lines[line.memory_id].append(line)
    found = {pk: _target(memory, lines[pk], is_theirs=is_theirs) for pk, memory in memories.items()}
    versions = _versions(space, memories, found)
    steps, left_alone = [], []
    for pk in kept:
        memory, wanted = memories[pk], found[pk]
        if isinstance(wanted, Obstacle):
            left_alone.append(LeftAlone(memory, wanted))
        elif wanted is not None:
            step = Step(memory, wanted, versions.get(pk))
            if step.version is not None and step.version.erased_at is not None:
                left_alone.append(LeftAlone(memory, Obstacle.ERASED))
            elif step.changes_anything:
                steps.append(step)
    return Plan(steps, left_alone, has_more=len(ids) > MOST)


def _target(
    memory: Memory, lines: Sequence[Activity], *, is_theirs: Callable[[Activity], bool]
) -> Target | Obstacle | None:
    if memory.erased_at is not None:
        return Obstacle.ERASED
    if not is_known(lines, version=memory.version, state=memory.state):
        return Obstacle.UNKNOWN
    return target(lines, is_theirs=is_theirs)  # type: ignore[arg-type]


def _versions(
    space: Space,
    memories: Mapping[UUID, Memory],
    found: Mapping[UUID, Target | Obstacle | None],
) -> dict[UUID, MemoryVersion]:
    """Return the version that each memory would get its text from, where it is another text."""
    wanted = {
        pk: each.version
        for pk, each in found.items()
        if isinstance(each, Target) and each.version not in {None, memories[pk].version}
    }
    rows = MemoryVersion.objects.filter(
        space=space, memory__in=list(wanted), number__in=set(wanted.values())
    )
    chosen = {row.memory_id: row for row in rows if wanted[row.memory_id] == row.number}
    return {pk: row for pk, row in chosen.items() if not _says_the_same(row, memories[pk])}


def _says_the_same(version: MemoryVersion, memory: Memory) -> bool:
    fields = ("kind", "path", "content", "source", "rationale", "checkpoint")
    is_erased = version.erased_at is not None
    return not is_erased and all(getattr(version, f) == getattr(memory, f) for f in fields)
