"""People, for operators; who has no password, has none to see or set here."""

from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import User
from accounts.services.closing import close_account
from accounts.services.second_factor import new_setup_code

# Secrets of the second factor are nobody's to see or set, not even an operator's.
admin.site.unregister([TOTPDevice, StaticDevice])


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
    actions = ["make_setup_codes"]

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

    @admin.action(
        permissions=["raise"],
        description="New set-up code for the second factor (the present one stops working)",
    )
    def make_setup_codes(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Show each operator's code once; it is handed over by another way than mail."""
        for operator in queryset.filter(is_staff=True):
            code = new_setup_code(operator)
            self.message_user(
                request,
                f"Set-up code of {operator.email}, for {settings.SETUP_CODE_HOURS} hours: {code}",
            )

    def has_raise_permission(self, request: HttpRequest) -> bool:
        """Only a superuser says who operates."""
        return isinstance(request.user, User) and request.user.is_superuser
