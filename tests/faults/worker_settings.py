"""The settings of a worker that a test starts beside itself: the test's database and Valkey."""

import json
import os

from brain.settings import *  # noqa: F403

DATABASES["default"] |= json.loads(os.environ["WORKER_DATABASE"])  # noqa: F405
# As often as a test can wait for; what the sweeps do is the same.
CELERY_BEAT_SCHEDULE = {
    "embed-missing": {"task": "memories.tasks.embed_missing_everywhere", "schedule": 1.0},
    "compare-missing": {"task": "memories.tasks.compare_missing_everywhere", "schedule": 1.0},
}
