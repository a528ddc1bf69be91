"""Addresses of one space's memories."""

from django.urls import path

from memories.views import (
    activity,
    answering,
    deciding,
    detail,
    health,
    linkmap,
    lists,
    recalls,
    review,
    secrets,
    transfer,
    undoing,
    writing,
)

app_name = "memories"
urlpatterns = [
    path("", lists.memories, name="list"),
    path("activity/", activity.activity, name="activity"),
    path("activity/export.<str:form>", activity.export, name="activity-export"),
    path("activity/undo/", undoing.undo, name="undo"),
    path("activity/undo/<uuid:undoing_id>/", undoing.take_back, name="take-back"),
    path("reads/", recalls.reads, name="reads"),
    path("reads/export.<str:form>", recalls.export, name="reads-export"),
    path("health/", health.health_page, name="health"),
    path("map/", linkmap.linkmap, name="map"),
    path("new/", writing.write, name="new"),
    path("secrets/", secrets.secrets, name="secrets"),
    path("secrets/redact/", secrets.redact, name="redact-secrets"),
    path("transfer/", transfer.transfer, name="transfer"),
    path("transfer/export/", transfer.export, name="export"),
    path("transfer/import/", transfer.start, name="start-import"),
    path("transfer/<uuid:transfer_id>/", transfer.progress, name="import"),
    path("transfer/<uuid:transfer_id>/confirm/", transfer.confirm, name="confirm-import"),
    path("transfer/<uuid:transfer_id>/remove/", transfer.remove, name="remove-import"),
    path("review/", review.inbox_page, name="review"),
    path("review/answers/", answering.answer_selected, name="answer-many"),
    path("review/undo/", answering.undo, name="undo-answers"),
    path("review/<uuid:item_id>/answer/", answering.answer, name="answer"),
    path("<uuid:memory_id>/", detail.memory, name="detail"),
    path("<uuid:memory_id>/edit/", writing.edit, name="edit"),
    path("<uuid:memory_id>/confirm/", deciding.confirm, name="confirm"),
    path("<uuid:memory_id>/validity/", deciding.reschedule, name="reschedule"),
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
