"""REST: everything below one space. Importing the modules puts their operations in."""

from memories.api import activity, reading, review, transfer, writing
from memories.api.routes import router

__all__ = ["activity", "reading", "review", "router", "transfer", "writing"]
