"""The product's own settings, on services that exist for one test run only."""

import os

from tests.cluster import forget_environment, own_valkey, shared_postgres

forget_environment()
_shared = shared_postgres()
# The data folder of this process: two workers share PostgreSQL, and nothing else.
_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
os.environ["BRAIN_DATA_DIR"] = str(_shared.root / _worker)

from brain.settings import *  # noqa: E402

VALKEY = own_valkey(FOLDER)
DATABASES["default"] |= {
    "HOST": str(_shared.run),
    "PASSWORD": _shared.credentials().brain_app,
}
DATABASE_OWNER = {"USER": "brain_owner", "PASSWORD": _shared.credentials().brain_owner}
# Jobs go to the run's own Valkey and no further: a test that is about jobs asks for `eager_jobs`.
CELERY_TASK_EAGER_PROPAGATES = True
# A model is loaded only by the tests that are about it.
EMBEDDER = "none"
