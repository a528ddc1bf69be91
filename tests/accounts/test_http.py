"""Who calls, and what pages of the OAuth flow say to the window that opened them."""

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from accounts.http import caller_network


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", "unknown"),
        ("/run/socket", "unknown"),
    ],
)
def test_a_caller_is_counted_by_address_or_by_its_ipv6_network(address: str, network: str) -> None:
    request: HttpRequest = RequestFactory().get("/", REMOTE_ADDR=address)

    assert caller_network(request) == network


def test_forwarded_addresses_are_not_believed() -> None:
    request: HttpRequest = RequestFactory().get(
        "/", REMOTE_ADDR="192.0.2.7", headers={"X-Forwarded-For": "203.0.113.9"}
    )

    assert caller_network(request) == "192.0.2.7"
