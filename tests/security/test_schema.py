"""The REST API against its own schema: calls drawn from it, valid and not, answered as it says."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given
from hypothesis import settings as drawn

from tests.factories import make_space
from tests.security.victims import MARK, browser, make_victim
from tests.tally import Tally

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

COOKIE = settings.SESSION_COOKIE_NAME
SCHEMA = "/api/v1/openapi.json"
few = drawn(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def operations() -> Iterator[Any]:
    """Return all that the published schema has; what is added to the API is tried by itself."""
    schema: Any = schemathesis.openapi.from_wsgi(SCHEMA, get_wsgi_application())
    for found in schema.get_all_operations():
        yield found.ok()


def draw(operation: Any, check: Callable[[Any], None]) -> None:
    """Check a few calls of the operation, those first that the schema allows."""
    attached: Any = given(operation.as_strategy())  # Hypothesis knows no type of such a check

    def each(case: Any) -> None:
        check(case)

    few(attached(each))()


def test_every_operation_answers_as_the_schema_says(tried: Tally) -> None:
    """As somebody with a space of their own, beside a victim."""
    make_victim()
    cookie = str(browser(make_space().owner).cookies[COOKIE].value)

    def check(case: Any) -> None:
        answer = case.call(cookies={COOKIE: cookie}, headers={"host": "127.0.0.1"})
        tried.add()
        assert answer.status_code < 500
        assert MARK not in answer.text
        assert not re.search(r"Traceback|syntax error|psycopg", answer.text)
        if answer.status_code < 400:
            case.validate_response(answer)

    for operation in operations():
        draw(operation, check)
    assert tried.counts


def test_no_operation_answers_whoever_is_not_signed_in(tried: Tally) -> None:
    def check(case: Any) -> None:
        answer = case.call(headers={"host": "127.0.0.1", "authorization": "Bearer brain_x"})
        tried.add()
        assert answer.status_code in {400, 401, 403, 404, 405, 422}

    for operation in operations():
        draw(operation, check)
    assert tried.counts
