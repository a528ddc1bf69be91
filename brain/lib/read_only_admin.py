"""Django admin for rows that operators look at and nobody edits by hand."""

from typing import Generic, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from typing_extensions import override

M = TypeVar("M", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin[M], Generic[M]):
    """Shows, and adds, changes and deletes nothing; what may be done are its actions."""

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False
