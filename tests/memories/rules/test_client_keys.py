"""Apps of another server are told apart from those that are here."""

from hypothesis import given
from hypothesis import strategies as st

from memories.rules.client_keys import client_key_here

HOME, OTHER, THIRD = "https://one.example.org", "https://two.example.org", "http://127.0.0.1:8000"
KEYS = st.sampled_from(["", "app:12", "key:0190c0de-0000-7000-8000-000000000000"])


@given(KEYS)
def test_at_home_a_key_stays_as_it_is(key: str) -> None:
    assert client_key_here(key, origin=HOME, here=HOME) == key


@given(KEYS)
def test_what_went_to_another_server_and_came_home_is_as_it_was(key: str) -> None:
    abroad = client_key_here(key, origin=HOME, here=OTHER)
    further = client_key_here(abroad, origin=OTHER, here=THIRD)

    assert client_key_here(abroad, origin=OTHER, here=HOME) == key
    assert client_key_here(further, origin=THIRD, here=HOME) == key


def test_the_same_number_of_two_servers_is_two_apps() -> None:
    keys = {client_key_here("app:12", origin=each, here=OTHER) for each in (HOME, OTHER, THIRD)}

    assert len(keys) == 3
    assert max(map(len, keys)) <= 80
