"""Every text for people is translated, and pages in another language show no English."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from uuid import UUID

import pytest
from babel.messages.catalog import Catalog
from django.core import mail
from django.test import Client

from accounts.actors import Actor
from accounts.models import User
from spaces.models import Space
from tests.factories import agent_of, make_actor, make_memory, make_space
from tests.pages import open_pages, pages_of
from tools.catalogue import catalogue
from tools.messages import compiled, forms, lacking, po_files, read, texts_of

LANGUAGES = po_files()
each_language = pytest.mark.parametrize("po", LANGUAGES, ids=lambda po: po.parent.parent.name)
# Words that no Portuguese sentence has.
ENGLISH = re.compile(r"\b(the|and|of|is|are|with|your|you|this|it|was|not|from|what|that|has)\b")

TIME_ZONE = re.compile(r"[A-Z]\w+/")


def names(catalog: Catalog) -> set[tuple[object, object]]:
    return {(message.context, message.id) for message in texts_of(catalog)}


@each_language
def test_the_catalogue_has_the_texts_of_the_sources(po: Path) -> None:
    assert names(read(po)) == names(catalogue()), "run `make messages`"


@each_language
def test_every_text_is_translated_in_every_plural_form(po: Path) -> None:
    assert lacking(read(po)) == []


@each_language
def test_a_translation_has_the_placeholders_and_marks_of_its_text(po: Path) -> None:
    marks = re.compile(r"%\(\w+\)[sd]|%[sd]|</?\w+|[.:?…]$")
    wrong = [
        (text, translation)
        for message in texts_of(read(po))
        for text in forms(message.id)[-1:]
        for translation in forms(message.string)
        # Only the form for one may leave the number out.
        if sorted(marks.findall(text)) != sorted(marks.findall(translation))
        and not (len(forms(message.id)) > 1 and "%(number)s" not in translation)
    ]

    assert wrong == []


@each_language
def test_the_compiled_catalogue_is_that_of_the_text(po: Path) -> None:
    assert po.with_suffix(".mo").read_bytes() == compiled(read(po)), "run `make messages`"


def test_there_is_a_catalogue_for_every_language_but_the_first(settings: object) -> None:
    offered = {code for code, _ in settings.LANGUAGES[1:]}  # type: ignore[attr-defined]

    assert {po.parent.parent.name.replace("_", "-").lower() for po in LANGUAGES} == offered


@pytest.mark.django_db
def test_pages_in_portuguese_show_no_english(client: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(language="pt-br", name="Iara", is_staff=True)
    user.refresh_from_db()
    client.force_login(user)
    pages = pages_of(client, _portuguese(user))

    leaks = {
        page.name: _english(client.get(page.url).content.decode())
        for page in pages
        # The schema of the REST API is written for programmers, in English.
        if page.name != "api-docs"
    }

    assert len(pages) > 20
    assert {name: texts for name, texts in leaks.items() if texts} == {}


@pytest.mark.django_db
def test_who_is_not_signed_in_is_addressed_in_the_browsers_language(client: Client) -> None:
    client.get("/sign-in/")
    for page in open_pages():
        response = client.get(page.url, headers={"accept-language": "pt-BR,pt;q=0.9"}, follow=True)
        text = response.content.decode()

        assert '<html lang="pt-br"' in text
        assert _english(text) == []


@pytest.mark.django_db
def test_the_mail_with_the_code_is_in_the_browsers_language(client: Client) -> None:
    client.post("/sign-in/", {"email": "ana@example.org"}, headers={"accept-language": "pt-BR"})

    sent = mail.outbox[-1]
    assert sent.subject == "Seu código para entrar no Agents Brain"
    assert [line for line in str(sent.body).splitlines() if ENGLISH.search(line)] == []


@pytest.mark.django_db
def test_a_refusal_is_in_the_persons_language(client: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(language="pt-br")
    client.force_login(user)

    answer = client.get(f"/spaces/{UUID(int=7)}/memories/")

    assert answer.status_code == 404
    assert "Não existe esse espaço." in answer.content.decode()


def _portuguese(user: User) -> Space:
    space = make_space(owner=user, name="Reforma", language="pt")
    agent = agent_of(space, name="Ajudante")

    def said(content: str, *, path: str = "Obra", kind: str = "decision", actor: Actor) -> None:
        why = {"source": "Iara", "rationale": "Foi combinado"}
        make_memory(space, content, path=path, kind=kind, actor=actor, **why)

    said("A obra começa na segunda.", actor=agent)
    said("A obra começa na quarta.", actor=agent)
    said("O rejunte ainda seca.", kind="observation", actor=agent)
    said("Gosto de azul.", path="Cores", actor=make_actor(user))
    return space


def _english(page: str) -> list[str]:
    reader = _Texts()
    reader.feed(page)
    known = {
        str(message.id)
        for po in LANGUAGES
        for message in texts_of(read(po))
        if message.id != message.string
    }
    return sorted(
        {
            text
            for text in reader.texts
            if not TIME_ZONE.match(text) and (text in known or ENGLISH.search(text))
        }
    )


class _Texts(HTMLParser):
    """Collects what a page shows or says, but for code and names in another language."""

    SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-copied")
    LEFT_OUT = ("script", "style", "code", "pre", "samp")

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if value and name in self.SPOKEN]
        if tag in self.LEFT_OUT:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._within:
            self.texts.append(" ".join(data.split()))
