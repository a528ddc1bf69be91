"""People, for operators; who has no password, has none to see or set here."""

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.models import User
from accounts.services.closing import close_account


def operator_sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """Send to the product's own sign-in; a person who is signed in and no operator stays out."""
    del extra_context
    if not isinstance(request.user, User):
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    if not admin.site.has_permission(request):
        raise PermissionDenied
    return redirect("admin:index")


admin.site.login = operator_sign_in  # type: ignore[method-assign]


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    list_display = ["email", "name", "is_active", "is_staff", "created_at", "last_login"]
    list_filter = ["is_active", "is_staff"]
    search_fields = ["email", "name"]
    ordering = ["-created_at"]
    fields = [
        "email", "name", "language", "time_zone", "is_active", "is_staff", "is_superuser",
        "groups", "created_at", "last_login",
    ]  # fmt: skip
    readonly_fields = ["email", "name", "language", "time_zone", "created_at", "last_login"]
    filter_horizontal = ["groups"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Accounts come from signing in, or from `create_space`."""
        del request
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Only a superuser says who operates; others could raise themselves."""
        del obj
        is_superuser = isinstance(request.user, User) and request.user.is_superuser
        also = [] if is_superuser else ["is_staff", "is_superuser", "groups"]
        return [*self.readonly_fields, *also]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        del request
        close_account(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        del request
        for user in queryset:
            close_account(user)
