"""Suggestions while a person fills in an argument: paths and tasks that are there."""

import mcp.types as mcp_types

from mcp_gateway.context import Caller
from mcp_gateway.resources.addresses import PATH_TEMPLATE
from memories.queries.reading import MOST_SUGGESTIONS, paths_beginning_with, tasks_named_like

_TYPED_MAX = 255


def completed(caller: Caller, params: mcp_types.CompleteRequestParams) -> mcp_types.CompleteResult:
    """Return what the argument may become; nothing for one that we have no suggestions for."""
    values = _values(caller, params.argument, is_for=params.ref)
    completion = mcp_types.Completion(values=values, has_more=len(values) == MOST_SUGGESTIONS)
    return mcp_types.CompleteResult(completion=completion)


def _values(
    caller: Caller,
    argument: mcp_types.CompletionArgument,
    *,
    is_for: mcp_types.PromptReference | mcp_types.ResourceTemplateReference,
) -> list[str]:
    template = is_for.uri if isinstance(is_for, mcp_types.ResourceTemplateReference) else ""
    typed = argument.value
    if len(typed) > _TYPED_MAX or not typed.isprintable():
        return []
    if argument.name == "path" and template in {"", PATH_TEMPLATE}:
        return paths_beginning_with(caller.space, typed)
    if argument.name == "task" and not template:
        return tasks_named_like(caller.space, typed)
    return []
