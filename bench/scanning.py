"""A space that is filled, compared by the job, and saved into meanwhile.

Import it only where Django is set up.
"""

import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from django.utils import timezone

from accounts.actors import Actor
from accounts.models import User
from bench.meanwhile import Saves
from memories.models import Memory, MemoryLink, ReviewItem
from memories.services.comparing import compare_recent
from memories.services.embedding import embed_missing, vectorisers
from memories.services.noticing import notice_expired, withdraw_moot
from memories.services.saving import Draft, save_memory
from memories.services.versions import derive
from spaces.isolation import inside
from spaces.models import Space

_random = random.Random(7)  # noqa: S311  the same texts in every run
TEMPLATES = (
    "The {thing} of the {part} is {number} {unit}.",
    "{name} decides about the {thing} of the {part}.",
    "We keep the {thing} of the {part} for {number} {unit}.",
    "The {part} must not change its {thing} without {name}.",
    "{name} prefers a {thing} for the {part} in the morning.",
    "Build {number} of the {part} passed all tests.",
    "The {thing} of the {part} lives in services/{part}/{thing}.yaml.",
    "O {thing} do {part} dura {number} {unit}.",
)
THINGS = "timeout backup report deploy limit owner schedule budget review token cache alert".split()
PARTS = [f"{kind}{number}" for kind in ("shop", "bank", "mail", "map") for number in range(40)]
NAMES = "Ana Bruno Carla Davi Elena Fabio Gisele Hugo".split()
UNITS = "minutes hours days weeks items MB".split()
FROM_TEMPLATES = 0.7
KINDS = ("decision", "preference", "observation", "pointer")


def measure(count: int) -> None:

    owner = User.objects.create_user("bench@example.org")
    space = Space.objects.create(owner=owner, name="Bench")
    _fill(space, count)
    print(f"{count:,} memories in the space:\n")
    print("| step | seconds | CPU seconds | CPU ms each | peak MB |")
    print("|---|---|---|---|---|")
    # Those to compare memories by come last; search has its own.
    pairs = vectorisers()[-1]
    _step(
        f"vectors of {pairs.key.partition('@')[0]}",
        count,
        lambda: embed_missing(space, pairs, at_most=64).has_more,
    )
    with _saves_in(space) as saves:
        _step(
            "compare: links, repeats, disagreements", count, lambda: compare_recent(space).has_more
        )
    _step("compare again: nothing is new", 0, lambda: compare_recent(space).has_more)
    _step("what lapsed", 0, lambda: bool(notice_expired(space)))
    _step("what answered itself", 0, lambda: bool(withdraw_moot(space)))
    with inside(space):
        left = Memory.objects.filter(space=space, compared_version=None).count()
        asked = Counter(ReviewItem.objects.in_space(space).values_list("question", flat=True))
        links = Counter(MemoryLink.objects.in_space(space).values_list("reason", flat=True))
    print(f"\nQuestions: {_listed(asked)}. Links: {_listed(links)}. Left: {left}.")
    print(f"Saves meanwhile, one a quarter of a second: {saves}.")


def _step(name: str, count: int, work: Callable[[], bool]) -> None:
    started_at, worked_at = time.perf_counter(), time.process_time()
    while work():
        pass
    seconds, worked = time.perf_counter() - started_at, time.process_time() - worked_at
    each = f"{1000 * worked / count:.1f}" if count else ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {name} | {seconds:.1f} | {worked:.1f} | {each} | {peak:.0f} |", flush=True)


def _saves_in(space: Space) -> Saves:
    def save(number: int) -> None:
        _save(space, f"The lamp {number} on floor {number % 9} is green.", "observation")

    return Saves(save, pause=0.25)


def _fill(space: Space, count: int) -> None:
    """Write rows past the services: through them it would take as long as the job."""
    texts = islice(_texts(), count)
    while batch := list(islice(texts, 1000)):
        rows = []
        for content, path, kind in batch:
            row = Memory(space=space, content=content, path=path, kind=kind, author="agent")
            row.source = row.rationale = "bench"
            row.created_at = row.updated_at = row.confirmed_at = timezone.now()
            derive(row)
            rows.append(row)
        with inside(space):
            Memory.objects.bulk_create(rows)


def _texts() -> Iterator[tuple[str, str, str]]:
    """Give different texts for ever, each with a path and a kind."""
    words = ["".join(_random.choices("bcdfgaeiou", k=6)) for _ in range(2000)]
    said: set[str] = set()
    while True:
        part = _random.choice(PARTS)
        if _random.random() < FROM_TEMPLATES:
            text = _random.choice(TEMPLATES).format(
                thing=_random.choice(THINGS),
                part=part,
                name=_random.choice(NAMES),
                number=_random.randint(1, 90),
                unit=_random.choice(UNITS),
            )
        else:
            text = " ".join(_random.choices(words, k=18)).capitalize() + "."
        if text not in said:
            said.add(text)
            yield text, f"Bench.{part}", _random.choice(KINDS)


def _save(space: Space, content: str, kind: str) -> None:

    actor = Actor(space.owner, "mcp", client_key="app:bench", client_name="Bench")
    draft = Draft(content, kind, "Bench.Lamps", source="bench", rationale="bench")
    save_memory(space=space, actor=actor, draft=draft)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common()) or "none"
