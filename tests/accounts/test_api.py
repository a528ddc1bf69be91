"""REST: who is signed in."""

from django.test import Client

from accounts.models import User


def test_a_browser_learns_who_is_signed_in(signed_in: Client, user: User) -> None:
    answer = signed_in.get("/api/v1/me")

    assert answer.status_code == 200
    assert answer.json() == {"email": user.email, "name": "", "language": "en", "time_zone": "UTC"}


def test_who_is_signed_out_learns_nothing(client: Client, db: None) -> None:
    assert client.get("/api/v1/me").status_code == 401


def test_other_methods_are_refused(signed_in: Client) -> None:
    assert signed_in.put("/api/v1/me").status_code == 405
