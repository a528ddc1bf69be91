"""Operators read why each job runs as often as it does, and what it is to miss it."""

from django.conf import settings


def test_every_scheduled_job_has_its_row() -> None:
    page = (settings.BASE_DIR / "docs" / "operating.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("|")]

    missing = [
        str(entry["task"])
        for entry in settings.CELERY_BEAT_SCHEDULE.values()
        if not any(f"`{entry['task']}`" in row for row in rows)
    ]

    assert missing == []
