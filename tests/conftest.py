"""The database of the tests, made as its owner and used as the application, as in production."""

from collections.abc import Iterator

import hypothesis
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import setup_databases
from django.utils import translation
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from accounts.actors import Actor
from accounts.models import User
from brain import celery_app
from brain.management.owner import as_owner
from memories.services import recalling
from spaces.models import Space
from tests.factories import make_actor, make_space, make_user
from tests.journeys.product import Product, data_folder, started
from tests.settings import VALKEY
from tests.tally import pytest_terminal_summary as pytest_terminal_summary  # noqa: PLC0414

# A busy machine is not a wrong answer, and a run leaves nothing behind.
hypothesis.settings.register_profile("brain", deadline=None, database=None)
hypothesis.settings.load_profile("brain")


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_modify_db_settings: None,
) -> Iterator[None]:
    """Make and migrate the test database; it goes with the cluster at the end of the run."""
    application = connection.settings_dict["USER"]
    with django_db_blocker.unblock(), as_owner(connection):
        setup_databases(verbosity=0, interactive=False)
        with connection.cursor() as cursor:
            # Only here: transactional tests empty all tables, the product never does.
            grant = sql.SQL("grant truncate on all tables in schema public to {}")
            cursor.execute(grant.format(sql.Identifier(application)).as_string())
    yield
    with django_db_blocker.unblock():
        connection.close()


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """Return the one started product of this test process; who stops it starts an own one."""
    with data_folder() as root, started(root) as running:
        yield running


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Let the thread that notes reads end before a transactional test empties the tables."""
    recalling.flush()


@pytest.fixture(autouse=True)
def _empty_valkey() -> Iterator[None]:
    """Leave no cache, counter or queued job for the next test."""
    yield
    if "keys=" in VALKEY.ask("INFO keyspace"):
        VALKEY.ask("FLUSHALL")


@pytest.fixture(autouse=True)
def _no_language_left_over() -> Iterator[None]:
    """Take back the language of the last request, which stays in the thread that answered it."""
    yield
    translation.deactivate()


@pytest.fixture
def user(db: None) -> User:
    return make_user()


@pytest.fixture
def actor(user: User) -> Actor:
    return make_actor(user)


@pytest.fixture
def space(user: User) -> Space:
    return make_space(owner=user)


@pytest.fixture
def signed_in(client: Client, user: User) -> Client:
    """Return the browser of `user`."""
    client.force_login(user)
    return client


@pytest.fixture
def eager_jobs() -> Iterator[None]:
    """Run queued jobs at once, in the thread that queues them."""
    celery_app.conf.task_always_eager = True
    yield
    celery_app.conf.task_always_eager = False
