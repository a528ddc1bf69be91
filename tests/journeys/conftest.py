"""People who live their journeys with the started product."""

import itertools
from collections.abc import Callable, Iterator

import pytest

from tests.journeys.person import Person
from tests.journeys.product import Product

NewPerson = Callable[[], Person]
_people = itertools.count(1)


@pytest.fixture
def new_person(product: Product) -> Iterator[NewPerson]:
    """Return a function that brings another person with a browser of their own."""
    people: list[Person] = []

    def make() -> Person:
        people.append(Person(product, f"journey{next(_people)}@example.org"))
        return people[-1]

    yield make
    for person in people:
        person.browser.close()
