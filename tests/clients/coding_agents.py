"""Claude Code and Codex, installed, at home, and talking to a scripted model."""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from tests.clients.messages_api import MessagesApi
from tests.clients.place import Place
from tests.clients.responses_api import ResponsesApi
from tests.clients.scripted_models import Call, Dialect, ScriptedModel
from tests.clients.terminal import Done, Terminal

CLAUDE_CODE = ("@anthropic-ai/claude-code", "2.1.332")
CODEX = ("@openai/codex", "0.171.0")
SEARCH = Call("search", {"query": "staging database"})
_TOOLS = ("search", "resume", "save", "revise", "forget", "checkpoint")


class CodingAgent(Protocol):
    """What a person does with either; `name` and `version` as the page of clients has them."""

    name: ClassVar[str]
    version: ClassVar[str]

    @property
    def dialect(self) -> Dialect: ...

    def connect(self, place: Place) -> Done:
        """Do what the page "Connect" says, up to a signed-in agent."""
        ...

    def status(self) -> str:
        """Return what it says of the servers that it knows."""
        ...

    def ask(self, prompt: str, *, model: ScriptedModel) -> Done:
        """Give it something to do, in a conversation of its own."""
        ...


def structured(text: str) -> dict[str, Any]:
    """Return the structured result that a model read; Codex puts two lines before it."""
    return dict(json.loads(text[text.index("{") :]))


def ask_at_once(agent: CodingAgent, prompt: str, *models: ScriptedModel) -> list[Done]:
    """Ask in as many terminals as there are models, all at the same time."""
    with ThreadPoolExecutor(len(models)) as terminals:
        return list(terminals.map(lambda model: agent.ask(prompt, model=model), models))


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Claude Code, asked with `claude -p`."""

    name: ClassVar[str] = "Claude Code"
    version: ClassVar[str] = CLAUDE_CODE[1]
    terminal: Terminal

    @property
    def dialect(self) -> Dialect:
        return MessagesApi()

    def add(self, place: Place) -> str:
        """Add the space with the command of the page; return the name that it is given."""
        command = place.snippet("claude-code", "claude-code-command")
        added = self.terminal.run("sh", "-c", command)
        assert added.code == 0, added.output
        return command.split()[-2]

    def sign_in(self, name: str, *, place: Place) -> Done:
        login = ("claude", "mcp", "login", name, "--no-browser")
        return self.terminal.sign_in(*login, person=place.person)

    def connect(self, place: Place) -> Done:
        return self.sign_in(self.add(place), place=place)

    def status(self) -> str:
        return self.terminal.run("claude", "mcp", "list").output

    def ask(
        self,
        prompt: str,
        *,
        model: ScriptedModel,
        options: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
    ) -> Done:
        """Ask in print mode; the memory's tools are allowed, as a person would allow them."""
        allowed = ",".join(f"mcp__{name}__{tool}" for name in self._servers() for tool in _TOOLS)
        scripted = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "scripted"}
        return self.terminal.run(
            *("claude", "-p", *options, prompt, "--allowedTools", allowed),
            variables={**scripted, **(variables or {})},
        )

    def _servers(self) -> list[str]:
        known = json.loads((self.terminal.home / ".claude.json").read_text())
        projects = known.get("projects", {}).values()
        return [name for each in (known, *projects) for name in each.get("mcpServers", {})]


@dataclass(frozen=True, slots=True)
class Codex:
    """Codex, asked with `codex exec`."""

    name: ClassVar[str] = "Codex"
    version: ClassVar[str] = CODEX[1]
    terminal: Terminal

    @property
    def dialect(self) -> Dialect:
        return ResponsesApi()

    def connect(self, place: Place) -> Done:
        command = place.snippet("codex", "codex-command")
        return self.terminal.sign_in("sh", "-c", command, person=place.person)

    def status(self) -> str:
        return self.terminal.run("codex", "mcp", "list").output

    def ask(
        self,
        prompt: str,
        *,
        model: ScriptedModel,
        options: tuple[str, ...] = (),
        variables: Mapping[str, str] | None = None,
    ) -> Done:
        provider = f'{{name="Scripted", base_url="{model.url}/v1", wire_api="responses"}}'
        return self.terminal.run(
            *("codex", "exec", *options, "--skip-git-repo-check", "--model", "scripted"),
            *("-c", "model_provider=scripted", "-c", f"model_providers.scripted={provider}"),
            prompt,
            variables=variables,
        )
