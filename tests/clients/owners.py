"""The people who own the spaces that clients connect to."""

from dataclasses import dataclass, field

from tests.journeys.person import Person
from tests.journeys.product import Product

SPACES_EACH = 5


@dataclass
class Owners:
    """Few sign in for many spaces: signing in is limited, and a limit is not lifted for tests."""

    product: Product
    people: list[Person] = field(default_factory=list)
    _spaces: int = 0

    def with_room(self) -> Person:
        """Return a signed-in person who may make one more space."""
        if self._spaces % SPACES_EACH == 0:
            owner = Person(self.product, f"owner{len(self.people) + 1}@example.org")
            owner.sign_in()
            self.people.append(owner)
        self._spaces += 1
        # One of their own for each space: what they allow is a test's choice.
        last = self.people[-1]
        person = Person(self.product, last.email)
        person.browser.close()
        person.browser = last.browser
        return person

    def leave(self) -> None:
        for person in self.people:
            person.browser.close()
