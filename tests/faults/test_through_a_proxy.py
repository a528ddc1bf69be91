"""Two of everything behind Caddy, by the file that operators get; `make multi` in short."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.faults.deployment import deployed
from tests.faults.proxy import caddy
from tests.tally import Tally
from tools.multi import proofs, rolling
from tools.multi.scene import Scene

pytestmark = [
    pytest.mark.product,
    pytest.mark.faults,
    pytest.mark.skipif(caddy() is None, reason="needs Caddy (requirements-dev.txt)"),
]


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    """Return somebody who is signed in at one server, and an app that was let in at the other."""
    with deployed(proofs.PLAN) as deployment:
        with closing(Scene(deployment, "travels@example.org")) as scene:
            proofs.signed_in_everywhere(scene)
            proofs.tokens_open_everywhere(scene)
            yield scene
        assert deployment.ended() == []


def test_a_page_at_any_server_hears_of_what_is_saved_at_any(scene: Scene) -> None:
    proofs.pages_hear_each_other(scene)


def test_jobs_that_two_workers_get_many_times_have_one_effect(scene: Scene) -> None:
    proofs.jobs_have_one_effect(scene, memories=20, copies=5)


async def test_every_process_is_exchanged_under_load_and_nobody_loses_anything(
    scene: Scene, runs: Tally
) -> None:
    rolled = await rolling.rolling_restart(scene)
    rolled.load.count(runs, rolled.missing)

    rolling.everybody_is_still_known(scene)


def test_a_limit_holds_for_all_servers_together(scene: Scene) -> None:
    proofs.limits_are_shared(scene)
