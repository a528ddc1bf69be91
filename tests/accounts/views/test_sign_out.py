"""Leaving."""

from django.test import Client

from accounts.models import BrowserSession


def test_signing_out_ends_the_session(signed_in: Client) -> None:
    response = signed_in.post("/sign-out/")

    assert response["Location"] == "/sign-in/"
    assert not BrowserSession.objects.exists()
    assert signed_in.get("/account/")["Location"].startswith("/sign-in/")


def test_a_link_never_signs_out(signed_in: Client) -> None:
    assert signed_in.get("/sign-out/").status_code == 405
    assert signed_in.get("/account/").status_code == 200


def test_who_is_signed_out_may_sign_out_again(client: Client, db: None) -> None:
    assert client.post("/sign-out/").status_code == 302
