"""Between the event loop and the synchronous services: one hop to a thread for each call."""

import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from pydantic import ValidationError

from brain.lib.counters import timed_call
from brain.lib.errors import DomainError
from mcp_gateway.arguments import explain, is_for_the_client
from mcp_gateway.context import Caller
from mcp_gateway.services.connections import record_use
from mcp_gateway.tools.definition import Answer, Arguments, Json, Tool
from memories.services.recalling import note_reads

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


class ToolRefusal(Exception):  # noqa: N818  it is what the model is told, not a fault
    """A sentence for the model; nothing was written."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@cache
def _threads() -> ThreadPoolExecutor:
    # No more threads than pooled connections, or calls would wait for one until they fail.
    return ThreadPoolExecutor(settings.MCP_THREADS, thread_name_prefix="mcp")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that uses the database in one of the gateway's threads."""
    hop = database_sync_to_async(function, thread_sensitive=False, executor=_threads())
    result: T = await hop(*args, **kwargs)
    return result


def call_tool(tool: Tool[Arguments], caller: Caller, arguments: Json, call_id: str) -> Answer:
    """Run one tool call from its raw arguments to its answer; raises ToolRefusal."""
    with timed_call(tool.name) as call:
        try:
            answer = tool.run(caller, _parsed(tool, arguments))
        except DomainError as error:
            call.outcome = error.code
            record_use(caller, error_code=error.code)
            raise ToolRefusal(error.sentence) from None
        except ToolRefusal:
            call.outcome = "bad_arguments"
            record_use(caller, error_code="bad_arguments")
            raise
        except Exception as error:  # noqa: BLE001  the last door: nothing may leave as it is
            log_failure(error, name=tool.name, call_id=call_id)
            raise ToolRefusal(
                "Something went wrong here and nothing was written. Try again; if it goes on, tell "
                f"the operator the call's id: {call_id}."
            ) from None
        call.outcome = "answered"
    record_use(caller, deed=tool.deed)
    if answer.received:
        note_reads(space=caller.space, actor=caller.actor, received=answer.received)
    return answer


def log_failure(error: Exception, *, name: str, call_id: str) -> None:
    """Log the place and the type of an error, without its text: a database error quotes the row."""
    places = "".join(traceback.format_tb(error.__traceback__)[-3:])
    logger.error("call %s of %s failed with %s\n%s", call_id, name, type(error).__name__, places)


def _parsed(tool: Tool[Arguments], arguments: Json) -> Arguments:
    # Clients send null for what they leave out.
    sent = {
        name: value
        for name, value in arguments.items()
        if value is not None and not is_for_the_client(name, value)
    }
    try:
        return tool.arguments.model_validate(sent)
    except ValidationError as error:
        raise ToolRefusal(explain(error, tool)) from None
