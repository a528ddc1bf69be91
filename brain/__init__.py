"""The project: settings, addresses, and the Celery application."""

from brain.celery import app as celery_app

__all__ = ["celery_app"]
