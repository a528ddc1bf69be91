"""Addresses of one space's memories."""

from django.urls import path

from memories.views import deciding, detail, lists, writing

app_name = "memories"
urlpatterns = [
    path("", lists.memories, name="list"),
    path("new/", writing.write, name="new"),
    path("<uuid:memory_id>/", detail.memory, name="detail"),
    path("<uuid:memory_id>/edit/", writing.edit, name="edit"),
    path("<uuid:memory_id>/confirm/", deciding.confirm, name="confirm"),
    path("<uuid:memory_id>/forget/", deciding.forget, name="forget"),
    path("<uuid:memory_id>/restore/", deciding.restore, name="restore"),
    path("<uuid:memory_id>/erase/", deciding.erase, name="erase"),
    path(
        "<uuid:memory_id>/versions/<int:number>/restore/",
        deciding.restore_earlier,
        name="restore-version",
    ),
    path(
        "<uuid:memory_id>/versions/<int:number>/erase/",
        deciding.erase_earlier,
        name="erase-version",
    ),
]
