"""Everything that the product keeps of a person, as one archive of JSON files."""

import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts.models import BrowserSession, User


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the archive; `write` fills it piece by piece."""

    name: str
    write: Callable[[IO[bytes]], None]


# What the apps above keep of a person; each adds its function at start.
on_exporting: list[Callable[[User], Iterable[Part]]] = []


def write_account(user: User, out: IO[bytes]) -> None:
    """Write the archive: the account, its spaces, and whom it let in. No secret is in it."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in [as_json("account.json", _account(user)), *_parts(user)]:
            # Its size is not known before, and may be more than the small form allows.
            with archive.open(part.name, "w", force_zip64=True) as file:
                part.write(file)


def as_json(name: str, value: object) -> Part:
    """Return a small file with one JSON value."""
    text = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)

    def write(file: IO[bytes]) -> None:
        file.write(f"{text}\n".encode())

    return Part(name, write)


def _parts(user: User) -> Iterable[Part]:
    return (part for parts_of in on_exporting for part in parts_of(user))


def _account(user: User) -> dict[str, object]:
    browsers = BrowserSession.objects.filter(user=user, expire_date__gt=timezone.now())
    return {
        "format": "agents-brain-account/1",
        "exported_at": timezone.now(),
        "id": user.pk,
        "email": user.email,
        "name": user.name,
        "language": user.language,
        "time_zone": user.time_zone,
        "theme": user.theme,
        "has_shortcuts": user.has_shortcuts,
        "is_operator": user.is_staff,
        "created_at": user.created_at,
        # Neither the key of a session nor what it holds.
        "browsers": [
            {
                "user_agent": browser.user_agent,
                "signed_in_at": browser.created_at,
                "last_seen_at": browser.last_seen_at,
            }
            for browser in browsers.order_by("created_at")
        ],
    }
