"""The jobs that there are."""

from celery import Task, current_app


def job(name: str) -> Task[..., object] | None:
    """Return the job of this name, if there is one; a web process has not loaded all of them."""
    current_app.loader.import_default_modules()
    found: Task[..., object] | None = current_app.tasks.get(name)
    return found
