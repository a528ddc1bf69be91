"""What `resources/list` and `resources/templates/list` answer."""

import mcp.types as mcp_types
from mcp.shared.exceptions import MCPError

from mcp_gateway.context import Caller
from mcp_gateway.presenters import moment
from mcp_gateway.resources.addresses import (
    ID_TEMPLATE,
    PATH_TEMPLATE,
    address_of_path,
    cursor_behind,
    key_before,
)
from memories.queries.reading import PathNow, paths_now

MIME_TYPE = "text/markdown"
TEMPLATES = [
    mcp_types.ResourceTemplate(
        name="path",
        title="Memories at a path",
        uri_template=PATH_TEMPLATE,
        description="What holds now at a dotted path such as Project.Auth, and below it.",
        mime_type=MIME_TYPE,
    ),
    mcp_types.ResourceTemplate(
        name="memory",
        title="One memory",
        uri_template=ID_TEMPLATE,
        description="One memory by its id, in full.",
        mime_type=MIME_TYPE,
    ),
]


def listed(caller: Caller, cursor: str | None) -> mcp_types.ListResourcesResult:
    """Return one page of the paths that hold something now; raises MCPError for a bad cursor."""
    after = ""
    if cursor is not None:
        key = key_before(cursor)
        if key is None:
            raise MCPError(
                code=mcp_types.INVALID_PARAMS,
                message="The cursor is not known. Begin the list without one.",
            )
        after = key
    page = paths_now(caller.space, after=after)
    return mcp_types.ListResourcesResult(
        resources=[_resource(each) for each in page.paths],
        next_cursor=cursor_behind(page.after) if page.after else None,
    )


def _resource(now: PathNow) -> mcp_types.Resource:
    counts = ", ".join(f"{kind} ({count})" for kind, count in now.kinds.items())
    return mcp_types.Resource(
        uri=address_of_path(now.path),
        name=now.path,
        title=now.path,
        description=counts,
        mime_type=MIME_TYPE,
        annotations=mcp_types.Annotations(last_modified=moment(now.changed_at)),
    )
