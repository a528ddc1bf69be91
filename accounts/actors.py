"""Who is asking: a person, or an agent acting for one; and through which door."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from accounts.models import User

Door = Literal["dashboard", "rest", "mcp", "command", "job"]


@dataclass(frozen=True, slots=True)
class Actor:
    """The person behind a request and, for an agent, the app that it runs in.

    `client_key` is the app's stable identity ("app:<id>" for an OAuth client, "key:<id>" for an
    API key), `client_name` what people call it, `agent_instance` the X-Agent-Instance-Id it sent.
    What an API key opens is narrower than what its owner may: `only_space` and `may_write` say so.
    """

    user: User
    door: Door
    client_key: str = ""
    client_name: str = ""
    agent_instance: str = ""
    only_space: UUID | None = None
    may_write: bool = True

    @property
    def is_agent(self) -> bool:
        return self.door == "mcp" or bool(self.client_key)

    @property
    def is_person(self) -> bool:
        return not self.is_agent
