"""REST: who did what, when, from which app."""

from datetime import UTC, datetime
from typing import Annotated

from ninja import Field, Query, Schema
from pydantic import AwareDatetime

from memories.api import examples
from memories.api.presenters import activity_out
from memories.api.requests import PROBLEMS, Cursor, RestRequest, SpaceId
from memories.api.routes import router
from memories.api.schemas import ActivityPage
from memories.models import Verb
from memories.queries.activity import Lines, activity_page
from spaces.access import readable_space

# What PostgreSQL and every client can express.
Moment = Annotated[
    AwareDatetime,
    Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(9000, 1, 1, tzinfo=UTC)),
]


class ActivityQuery(Schema):
    app: str = Field(
        "",
        description="The client key of an app, or you for the person.",
        pattern=r"^[^\x00]*$",
        examples=["you"],
    )
    verb: Verb | None = Field(None, description="Only this kind of line.", examples=["saved"])
    since: Moment | None = Field(
        None, description="From this moment on (RFC 3339).", examples=[examples.MOMENT]
    )
    until: Moment | None = Field(None, description="Before this moment.", examples=[examples.LATER])
    after: Cursor = ""


@router.get("/activity", tags=["activity"], response={200: ActivityPage, **PROBLEMS})
def list_activity(
    request: RestRequest, space_id: SpaceId, asked: Query[ActivityQuery]
) -> ActivityPage:
    """List the activity, newest first, 25 lines at a time. Lines have no contents."""
    wanted = Lines(app=asked.app, verb=asked.verb or "", since=asked.since, until=asked.until)
    page = activity_page(readable_space(space_id, request.actor), wanted, after=asked.after)
    return ActivityPage(items=[activity_out(line) for line in page.lines], after=page.after)
