"""What must hold for several of each process; each raises NotProvedError where it does not."""

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import cast

import httpx
import psycopg
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.faults.deployment import Deployment, Plan
from tests.mcp_gateway.clients import rpc
from tools.multi.scene import PROXY, Scene, need

REFUSED_LIMIT = 30
PLAN = Plan(
    has_scheduler=True,
    has_proxy=True,
    variables={
        # One model for both tasks, which is there without any choice of the machine.
        "BRAIN_EMBEDDER": "builtin-use",
        "BRAIN_WARM_UP": "true",
        "BRAIN_LIMIT_REFUSED": f"{REFUSED_LIMIT}/minute",
    },
)
PATIENCE = 60
_JOBS = ("embed_missing_in", "look_through")
_STATS = (
    "import json; from brain.celery import app; "
    "found = app.control.inspect(timeout=5).stats() or {}; "
    "print(json.dumps({n.partition('@')[0]: sum(s['total'].values()) for n, s in found.items()}))"
)


def signed_in_everywhere(scene: Scene) -> str:
    """Sign in at one web server and be known at the other and at the proxy."""
    scene.sign_in(at=0)
    made = scene.at(1).submit(scene.at(1).open("/spaces/new/"), name="Travels", language="en")
    need(made.status_code == httpx.codes.OK, "Web 1 made no space for who signed in at web 0.")
    scene.space_id = made.text.partition("/mcp/")[2][:36]
    scene.space_url = f"{scene.deployment.public_url}/mcp/{scene.space_id}"
    for number in (0, 1, PROXY):
        page = scene.at(number).open("/")
        need("Travels" in page.text, f"Address {number} does not know who signed in at web 0.")
    return "signed in at web 0, made a space at web 1, at home at both and behind the proxy"


def tokens_open_everywhere(scene: Scene) -> str:
    """Take each step of OAuth at another process than the step before."""
    scene.register(at=0)
    code, verifier = scene.consent(at=1)
    scene.exchange(code, verifier, at=0)
    for number in (0, 1, PROXY):
        scene.call(number, "search", query="")
    first = scene.tokens["access_token"]
    scene.refresh(at=1)
    need(scene.tokens["access_token"] != first, "The refresh gave the same token again.")
    saved = scene.call(0, "save", content="The travelling app was here once.",
                       kind="observation", path="Travels.App")  # fmt: skip
    found = scene.call(1, "search", query=str(saved["id"]))
    need(found["results"], "Web 1 does not find at once what web 0 saved.")
    return (
        "registered at web 0, let in at web 1, token from web 0, refreshed at web 1; "
        "opens both and the proxy; what one saves the other finds"
    )


def pages_hear_each_other(scene: Scene) -> str:
    """Open a live page at each address, and hear there what is saved at each web server."""
    pairs = [(page, writer) for page in (0, 1, PROXY) for writer in (0, 1)]
    for page, writer in pairs:
        url = scene.url(page)
        address = f"{url.replace('http', 'ws')}/live/{scene.space_id}"
        headers = {"Cookie": scene.cookie()}
        with connect(address, additional_headers=headers, origin=Origin(url)) as socket:
            need(json.loads(socket.recv(20)) == {"listening": True}, "A page can't listen.")
            scene.call(writer, "save", content=f"Page {page} shall hear of writer {writer}.",
                       kind="observation", path="Travels.Live")  # fmt: skip
            told = json.loads(socket.recv(20))
            need(told == {"changed": "memories"}, f"Page {page} heard {told} of web {writer}.")
    return f"{len(pairs)} pairs of page and writer, each heard through Valkey"


def jobs_have_one_effect(scene: Scene, *, memories: int = 60, copies: int = 15) -> str:
    """Queue every job many times for two workers, and find each effect once."""
    for number in range(memories):
        scene.call(number % 2, "save", content=f"Shelf {number} holds {number + 3} old books.",
                   kind="observation", path=f"Library.Shelf{number}")  # fmt: skip
    for number, text in enumerate(text for pair in _DISAGREEING for text in pair):
        scene.call(number % 2, "save", content=text, kind="decision", path=f"Pair{number // 2}",
                   source="the handbook", rationale="as it was agreed")  # fmt: skip
    _queue(scene, copies)
    with closing(database(scene.deployment)) as connection:
        wait_until(lambda: not any(_work_left(connection, scene).values()), "all jobs are done",
                   lambda: str(_work_left(connection, scene)))  # fmt: skip
        live = count(connection, "memories_memory", scene)
        vectors = count(connection, "memories_memoryvector", scene)
        asked, pairs, wanted = _questions(connection, scene)
        bad = connection.execute(
            "select count(*) from brain_jobrun where state in ('failed', 'lost')"
        ).fetchone()
    need(vectors == live, f"{live} memories have {vectors} vectors.")
    need(wanted == len(_DISAGREEING), f"{len(_DISAGREEING)} contradictions, {wanted} questions.")
    need(asked == pairs, f"{asked} questions are about {pairs} pairs.")
    need(bad == (0,), f"{bad} jobs failed.")
    ran = json.loads(scene.deployment.manage("shell", "-v", "0", "-c", _STATS))
    need(all(ran.get(f"worker{number}") for number in (0, 1)), f"One worker did nothing: {ran}")
    return (
        f"each job queued {copies} times more, both workers at work ({ran['worker0']} and "
        f"{ran['worker1']} runs): {live} memories have {vectors} vectors, {wanted} contradictions "
        f"{wanted} questions, and no pair is asked about twice"
    )


def _questions(connection: psycopg.Connection[tuple[int]], scene: Scene) -> tuple[int, int, int]:
    """Return how many disagreements are asked, of how many pairs, and how many of ours."""
    row = connection.execute(
        "select count(*), count(distinct array[least(memory_id, other_id), "
        "greatest(memory_id, other_id)]), count(*) filter (where m.path like 'Pair%%') "
        "from memories_reviewitem r join memories_memory m on m.id = r.memory_id "
        "where r.space_id = %s and question = 'disagreement'",
        [scene.space_id],
    ).fetchone()
    assert row is not None
    asked, pairs, ours = cast("tuple[int, int, int]", row)
    return asked, pairs, ours


def limits_are_shared(scene: Scene) -> str:
    """Send a wrong token to both in turn: together they let in what one limit allows."""
    wrong = scene.headers("wrong-" + scene.client_id)
    answers: Counter[int] = Counter()
    for number in range(2 * REFUSED_LIMIT):
        answer = httpx.post(scene.mcp(number % 2), content=rpc("tools/list"), headers=wrong)
        answers[answer.status_code] += 1
    need(set(answers) == {401, 429}, f"Wrong tokens were answered with {dict(answers)}.")
    # A window slides: at its edge a few more may pass.
    need(answers[401] <= REFUSED_LIMIT * 1.3, f"{answers[401]} passed a limit of {REFUSED_LIMIT}.")
    for number in (0, 1):
        last = httpx.post(scene.mcp(number), content=rpc("tools/list"), headers=wrong)
        need(last.status_code == 429, f"Web {number} does not know that the limit is reached.")  # noqa: PLR2004
    return f"a limit of {REFUSED_LIMIT} let {answers[401]} of {2 * REFUSED_LIMIT} pass at both"


_DISAGREEING = (
    (
        "The release train leaves on Fridays at noon.",
        "The release train leaves on Mondays at noon.",
    ),
    ("Database backups are kept for 30 days.", "Database backups are kept for 90 days."),
    ("New customers may pay by invoice.", "New customers may never pay by invoice."),
    ("The night watch begins at 21:00.", "The night watch begins at 23:00."),
)


def _queue(scene: Scene, copies: int) -> None:
    jobs = "; ".join(f"[{job}.delay({scene.space_id!r}) for _ in range({copies})]" for job in _JOBS)
    imports = f"from memories.tasks import {', '.join(_JOBS)}"
    scene.deployment.manage("shell", "-v", "0", "-c", f"{imports}; {jobs}")


def database(deployment: Deployment) -> psycopg.Connection[tuple[int]]:
    """Connect as the superuser, whom row-level security does not bind."""
    parameters = deployment.postgres.parameters("postgres")
    return psycopg.connect(**parameters, autocommit=True)  # type: ignore[arg-type]


def count(
    connection: psycopg.Connection[tuple[int]], table: str, scene: Scene, condition: str = "true"
) -> int:
    query = f"select count(*) from {table} where space_id = %s and {condition}"  # noqa: S608
    row = connection.execute(query, [scene.space_id]).fetchone()
    assert row is not None
    return row[0]


def _work_left(connection: psycopg.Connection[tuple[int]], scene: Scene) -> dict[str, int]:
    running = connection.execute(
        "select count(*) from brain_jobrun where state in ('running', 'retrying')"
    ).fetchone()
    assert running is not None
    unseen = "not exists (select from memories_memoryvector v where v.memory_id = m.id)"
    return {
        "jobs run": running[0],
        "jobs queued": queued(scene.deployment),
        "without a vector": count(connection, "memories_memory m", scene, unseen),
        "not compared": count(connection, "memories_memory", scene, "compared_version is null"),
    }


def queued(deployment: Deployment) -> int:
    """Return how many jobs wait in the broker."""
    import redis  # noqa: PLC0415

    with redis.Redis(port=deployment.broker_port) as broker:
        return int(broker.llen("celery")) + int(broker.hlen("unacked"))


def wait_until(condition: Callable[[], bool], what: str, now: Callable[[], str]) -> None:
    """Return once the condition holds; it is not proved when it does not in good time."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        need(time.monotonic() < deadline, f"It did not come to this: {what}; but {now()}.")
        time.sleep(0.1)
