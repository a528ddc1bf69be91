"""What prompts and resources have in common: who asked is noted, failures are sentences."""

import uuid
from collections.abc import Callable
from typing import TypeVar

import mcp.types as mcp_types
from mcp.shared.exceptions import MCPError

from brain.lib.counters import timed_call
from brain.lib.errors import DomainError
from mcp_gateway.adapter import log_failure
from mcp_gateway.context import Caller
from mcp_gateway.services.connections import Deed, record_use

T = TypeVar("T")


def serve(method: str, caller: Caller, work: Callable[[], T], *, deed: Deed = Deed.CALLED) -> T:
    """Do the work of one request; whatever goes wrong leaves as an MCPError with a sentence."""
    with timed_call(method) as call:
        try:
            answer = work()
        except MCPError:
            call.outcome = "refused"
            record_use(caller, error_code="refused")
            raise
        except DomainError as error:
            call.outcome = error.code
            record_use(caller, error_code=error.code)
            raise MCPError(code=mcp_types.INVALID_PARAMS, message=error.sentence) from None
        except Exception as error:  # noqa: BLE001  the last door: nothing may leave as it is
            call_id = uuid.uuid4().hex
            log_failure(error, name=method, call_id=call_id)
            raise MCPError(
                code=mcp_types.INTERNAL_ERROR,
                message="Something went wrong here. Try again; if it goes on, tell the operator "
                f"the call's id: {call_id}.",
            ) from None
        call.outcome = "answered"
    record_use(caller, deed=deed)
    return answer
