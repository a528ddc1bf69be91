"""The pages of export and import."""

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memories.models import Memory, Transfer
from memories.tasks import go_on_with_import
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.transfer.files import checked, comparable, exported, sent, written


def address(space: Space, rest: str = "") -> str:
    return f"/spaces/{space.pk}/memories/transfer/{rest}"


def test_the_page_offers_both_ways(signed_in: Client, space: Space) -> None:
    page = signed_in.get(address(space))

    assert page.status_code == 200
    assert address(space, "export/") in page.text
    assert 'enctype="multipart/form-data"' in page.text


def test_the_download_is_the_export_and_is_kept_nowhere(signed_in: Client, space: Space) -> None:
    make_memory(space, "We deploy on Fridays at noon.")

    answer = signed_in.get(address(space, "export/"))
    body = sent(answer)

    assert comparable(body) == comparable(exported(space))
    assert answer["Content-Length"] == str(len(body))
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Disposition"].endswith('.json"')
    assert "events" not in json.loads(body)


def test_the_download_has_the_log_when_it_is_wanted(signed_in: Client, space: Space) -> None:
    make_memory(space)

    answer = signed_in.get(address(space, "export/"), {"events": "yes"})

    assert len(json.loads(sent(answer))["events"]) == 1


def test_a_file_is_looked_through_shown_and_brought_in(
    signed_in: Client, space: Space, file: bytes, eager_jobs: None
) -> None:
    begun = signed_in.post(
        address(space, "import/"), {"file": SimpleUploadedFile("export.json", file)}
    )
    with inside(space):
        transfer = Transfer.objects.get(space=space)
    place = address(space, f"{transfer.pk}/")
    assert begun["Location"] == place
    checked_by_worker(space, transfer)

    shown = signed_in.get(place)
    signed_in.post(f"{place}confirm/")
    checked_by_worker(space, transfer)
    done = signed_in.get(place)

    assert "This is what the file would do" in shown.text
    assert "Project" in shown.text
    assert "The file is in" in done.text
    with inside(space):
        assert Memory.objects.filter(space=space).count() == 1


def checked_by_worker(space: Space, transfer: Transfer) -> None:

    go_on_with_import(str(space.pk), str(transfer.pk))


def test_while_it_works_the_page_asks_again_and_without_scripts_too(
    signed_in: Client, space: Space, file: bytes
) -> None:
    signed_in.post(address(space, "import/"), {"file": SimpleUploadedFile("x.json", file)})
    with inside(space):
        transfer = Transfer.objects.get(space=space)
    place = address(space, f"{transfer.pk}/")

    page = signed_in.get(place).text
    part = signed_in.get(place, headers={"HX-Request": "true"}).text

    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert f'hx-get="{place}"' in page
    assert "<progress" in part
    assert "<html" not in part


def test_a_ready_import_does_not_ask_again(signed_in: Client, space: Space, file: bytes) -> None:
    transfer = checked(space, file)

    page = signed_in.get(address(space, f"{transfer.pk}/")).text

    assert 'hx-trigger="every' not in page
    assert "http-equiv" not in page


def test_long_lists_come_in_pages(signed_in: Client, space: Space) -> None:
    other = make_space()
    for number in range(30):
        make_memory(other, f"Fact number {number} of many.", path=f"Many.P{number}")
    transfer = checked(space, exported(other))
    place = address(space, f"{transfer.pk}/")

    first = signed_in.get(place, {"what": "new"}).text
    rest = signed_in.get(place, {"what": "new", "after": "25"}, headers={"HX-Request": "true"}).text

    assert first.count("of the file") == 25
    assert "?what=new&amp;after=25" in first
    assert rest.count("of the file") == 5
    assert "<html" not in rest


def test_what_is_refused_comes_first_with_its_path(
    signed_in: Client, space: Space, file: bytes
) -> None:
    found = json.loads(file)
    found["memories"][0] |= {"kind": "<b>", "path": "Project.<script>"}
    transfer = checked(space, written(found))

    page = signed_in.get(address(space, f"{transfer.pk}/")).text

    assert "Project.&lt;script&gt;" in page
    assert "kind: Input should be" in page


@pytest.mark.parametrize("name", ["", "x.json"])
def test_without_a_file_the_form_says_so(signed_in: Client, space: Space, name: str) -> None:
    data = {"file": SimpleUploadedFile(name, b"")} if name else {}

    page = signed_in.post(address(space, "import/"), data)

    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.text


def test_a_second_file_has_to_wait(signed_in: Client, space: Space, file: bytes) -> None:
    checked(space, file)

    page = signed_in.post(address(space, "import/"), {"file": SimpleUploadedFile("x", file)})

    assert page.status_code == 422
    assert signed_in.get(address(space)).text.count("Look and decide") == 1


def test_cancelling_removes_the_file(signed_in: Client, space: Space, file: bytes) -> None:
    transfer = checked(space, file)

    answer = signed_in.post(address(space, f"{transfer.pk}/remove/"))

    assert answer["Location"] == address(space)
    with inside(space):
        assert not Transfer.objects.filter(space=space).exists()


@pytest.mark.parametrize(
    "rest", ["", "export/", "import/", "{id}/", "{id}/confirm/", "{id}/remove/"]
)
def test_a_stranger_finds_nothing(signed_in: Client, file: bytes, rest: str) -> None:
    theirs = make_space()
    transfer = checked(theirs, file)
    rest = rest.format(id=transfer.pk)
    is_post = rest.endswith(("import/", "confirm/", "remove/"))
    ask = signed_in.post if is_post else signed_in.get

    assert ask(address(theirs, rest)).status_code == 404
    with inside(theirs):
        assert Transfer.objects.get(space=theirs).stage == "ready"


def test_an_import_of_another_space_is_not_there(
    signed_in: Client, space: Space, file: bytes
) -> None:
    theirs = checked(make_space(), file)

    for each in (theirs.pk, uuid4()):
        assert signed_in.get(address(space, f"{each}/")).status_code == 404
        assert signed_in.post(address(space, f"{each}/confirm/")).status_code == 404


def test_wrong_methods_are_refused(signed_in: Client, space: Space) -> None:
    assert signed_in.post(address(space, "export/")).status_code == 405
    assert signed_in.get(address(space, "import/")).status_code == 405
    assert signed_in.post(address(space)).status_code == 405
