"""Addresses of the home page and of a space's own pages."""

from django.urls import path

from spaces.views import connecting, lists, settings

app_name = "spaces"
urlpatterns = [
    path("", lists.home, name="list"),
    path("spaces/new/", lists.create, name="create"),
    path("spaces/<uuid:space_id>/connect/", connecting.connect, name="connect"),
    path("spaces/<uuid:space_id>/settings/", settings.settings, name="settings"),
    path("spaces/<uuid:space_id>/delete/", settings.delete, name="delete"),
]
