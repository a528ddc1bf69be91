"""Fill a deployment: python bench/load/filling.py DATA_FOLDER FILE, with the code that it runs.

A script of its own, since that code may be an older one. FILE holds a list of texts for each
space; prints the id of each space with an access token that the product would have issued.
"""

import json
import secrets
import sys
from datetime import timedelta
from pathlib import Path

SPACES_PER_PERSON = 4


def main(root: Path, texts: list[list[str]]) -> list[tuple[str, str]]:
    import django  # noqa: PLC0415

    django.setup()
    from bench.rows import fill_space, superuser  # noqa: PLC0415

    opened = [_open_space(number) for number in range(len(texts))]
    with superuser(root) as connection:
        for (space_id, _), own in zip(opened, texts, strict=True):
            fill_space(connection, space_id, own)
        connection.execute("vacuum analyze")
    return opened


def _open_space(number: int) -> tuple[str, str]:
    from django.utils import timezone  # noqa: PLC0415
    from oauth2_provider.models import AccessToken  # noqa: PLC0415

    from accounts.models import User  # noqa: PLC0415
    from mcp_gateway.models import Application  # noqa: PLC0415
    from mcp_gateway.scopes import ALL  # noqa: PLC0415
    from spaces.models import Space  # noqa: PLC0415

    owner, _ = User.objects.get_or_create(email=f"load{number // SPACES_PER_PERSON}@example.org")
    space = Space.objects.create(owner=owner, name=f"Load {number}")
    app, _ = Application.objects.get_or_create(
        client_id="bench-load",
        defaults={
            "name": "Bench",
            "client_type": Application.CLIENT_PUBLIC,
            "client_secret": "",
            "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
            "redirect_uris": "http://127.0.0.1/callback",
            "last_used_at": timezone.now(),
        },
    )
    value = secrets.token_urlsafe(32)
    AccessToken.objects.create(
        user=owner,
        application=app,
        token=value,
        expires=timezone.now() + timedelta(hours=12),
        scope=" ".join(ALL),
        resource=[space.mcp_url],
    )
    return str(space.pk), value


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()))))
