"""Django admin with our site in the place of Django's own (in INSTALLED_APPS)."""

from django.contrib.admin.apps import AdminConfig


class OperatorAdminConfig(AdminConfig):
    default_site = "accounts.operators.OperatorSite"
