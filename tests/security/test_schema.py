"""The REST API against its own schema: calls drawn from it, valid and not, answered as it says."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.middleware.csrf import _get_new_csrf_string
from hypothesis import HealthCheck, given
from hypothesis import settings as drawn
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mcp_gateway.scopes import READ
from memories.models import Question, Transfer
from memories.services.asking import ask
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.mcp_gateway.clients import key_of
from tests.security.victims import MARK, browser, make_victim
from tests.tally import Tally

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

SCHEMA = "/api/v1/openapi.json"
# Fields of problem details that the schema leaves open, and what no answer may be.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FAILED = re.compile(r"Traceback|syntax error|psycopg")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and the ids of what is theirs."""

    ids: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str] = field(default_factory=dict)


def operations() -> Iterator[Any]:
    """Return all that the published schema has; what is added to the API is tried by itself."""
    schema: Any = schemathesis.openapi.from_wsgi(SCHEMA, get_wsgi_application())
    for found in schema.get_all_operations():
        yield found.ok()


def draw(calls: Any, check: Callable[[Any], None], *, examples: int) -> None:
    """Check so many calls of an operation."""
    few = drawn(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    attached: Any = given(calls)  # Hypothesis knows no type of such a check

    def each(case: Any) -> None:
        check(case)

    few(attached(each))()


def with_session(space: Space) -> Mapping[str, Mapping[str, str]]:
    token = _get_new_csrf_string()
    session = str(browser(space.owner).cookies[settings.SESSION_COOKIE_NAME].value)
    cookies = {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: token}
    return {"cookies": cookies, "headers": {"x-csrftoken": token}}


def with_key(space: Space, *scopes: str) -> Mapping[str, Mapping[str, str]]:
    return {"headers": {"authorization": f"Bearer {key_of(space, *scopes)}"}}


WAYS: dict[str, Callable[[Space], Mapping[str, Mapping[str, str]]]] = {
    "the person": with_session,
    "a key of both scopes": with_key,
    "a key that may only read": lambda space: with_key(space, READ),
}


def made(way: str) -> Caller:
    """Return a caller with a space in which there is something of everything."""
    space = make_space()
    memory = make_memory(space)
    make_memory(space, "We deploy on Mondays at noon.", path="Project.Deploys")
    with inside(space):
        ask(Question.INSTRUCTION, memory)
        question = memory.questions.get()
        done = Transfer.objects.create(space=space, user=space.owner, door="rest", stage="done")
    ids = {
        "space_id": str(space.pk),
        "memory_id": str(memory.pk),
        "question_id": str(question.pk),
        "import_id": str(done.pk),
    }
    return Caller(ids, **WAYS[way](space))


def calls_of(operation: Any, caller: Caller, mode: GenerationMode) -> Any:
    """Return calls of what is the caller's, where the operation takes ids."""
    names = {each.name for each in operation.path_parameters}
    ids = {name: value for name, value in caller.ids.items() if name in names}
    return operation.as_strategy(mode, path_parameters=ids) if ids else operation.as_strategy(mode)


def try_all(caller: Caller, tried: Tally, *, examples: int) -> set[int]:
    """Return the statuses that were answered."""
    seen = set()

    def check(case: Any) -> None:
        # The name that the cookies of such a call belong to.
        headers = {"host": "localhost", **caller.headers}
        answer = case.call(cookies=dict(caller.cookies), headers=headers)
        tried.add()
        seen.add(answer.status_code)
        assert MARK not in answer.text
        assert not FAILED.search(answer.text)
        case.validate_response(answer, checks=CHECKS)

    for operation in operations():
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            draw(calls_of(operation, caller, mode), check, examples=examples)
        draw(operation.as_strategy(), check, examples=max(2, examples // 4))
    return seen


@pytest.mark.parametrize("way", WAYS)
def test_every_operation_answers_as_the_schema_says(way: str, tried: Tally) -> None:
    """As somebody with a space of their own, beside a victim."""
    make_victim()

    seen = try_all(made(way), tried, examples=6)

    writes = set() if way == "a key that may only read" else {201, 202}
    assert seen > {200, 422} | writes


@pytest.mark.faults
@pytest.mark.parametrize("way", WAYS)
def test_many_more_calls_are_answered_as_the_schema_says(way: str, tried: Tally) -> None:
    make_victim()

    seen = try_all(made(way), tried, examples=60)

    assert seen > {200, 422}


def test_no_operation_answers_whoever_is_not_signed_in(tried: Tally) -> None:
    def check(case: Any) -> None:
        answer = case.call(headers={"host": "127.0.0.1", "authorization": "Bearer brain_x"})
        tried.add()
        assert answer.status_code in {400, 401, 403, 404, 405, 422}

    for operation in operations():
        draw(operation.as_strategy(), check, examples=12)
    assert tried.counts
