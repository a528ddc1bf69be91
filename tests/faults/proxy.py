"""Caddy in front of the web servers, by the very file that operators get (deploy/Caddyfile)."""

import re
import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path

CADDYFILE = Path(__file__).parents[2] / "deploy/Caddyfile"
# The file asks Docker's DNS for the web processes; here they have fixed addresses.
_FOUND_BY_NAME = re.compile(r"dynamic a web 8000 \{.*?\}", re.DOTALL)
_ALONE = "{\n\tadmin off\n\tpersist_config off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n"


def caddy() -> Path | None:
    """Return the program, from the environment (requirements-dev.txt) or from the system."""
    installed = Path(sysconfig.get_path("scripts")) / "caddy"
    if installed.is_file():
        return installed
    found = shutil.which("caddy")
    return Path(found) if found else None


def caddyfile(upstreams: Sequence[str]) -> str:
    """Return the shipped file with these addresses of web servers, and nothing else changed."""
    text, found = _FOUND_BY_NAME.subn(f"to {' '.join(upstreams)}", CADDYFILE.read_text())
    assert found == 1, "deploy/Caddyfile names its web processes in another way now."
    return _ALONE + text


def command(folder: Path, *, upstreams: Sequence[str]) -> list[str]:
    """Return the command line that runs it on a file in `folder`."""
    program = caddy()
    assert program is not None, "There is no Caddy: pip install -r requirements-dev.txt"
    file = folder / "Caddyfile"
    file.write_text(caddyfile(upstreams))
    return [str(program), "run", "--config", str(file), "--adapter", "caddyfile"]


def variables(folder: Path, *, port: int) -> dict[str, str]:
    """Return what the file and Caddy read from the environment."""
    return {
        "BRAIN_DOMAIN": f"http://127.0.0.1:{port}",
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
