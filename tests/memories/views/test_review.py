"""The inbox as a page: with and without scripts, with and without keys."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.actors import Actor
from accounts.models import User
from memories.models import Answer, Memory, Question, ReviewItem, ReviewState, State
from memories.rules.checkpoints import CheckpointFields
from memories.services.affirming import confirm_memory
from memories.services.checkpointing import checkpoint_task
from memories.services.noticing import notice_expired
from memories.services.reviewing import LATER
from spaces.isolation import inside
from spaces.models import Space
from tests.factories import make_memory, make_space
from tests.memories.services.resolutions.questions import (
    FRIDAY,
    TUESDAY,
    answered,
    changed,
    expired,
    forgotten_by_agent,
    instruction,
    lapse,
    now,
    pair,
    person_of,
    relearned,
    unsourced,
)

NOBODYS = "9b2f6a0e-6f2c-4f0e-8f43-1f5f6ad1c001"

HTMX = {"HX-Request": "true", "HX-Target": "inbox"}


def page_of(space: Space, query: str = "") -> str:
    return reverse("memories:review", args=[space.pk]) + query


def answer_url(item: ReviewItem) -> str:
    return reverse("memories:answer", args=[item.space_id, item.pk])


def post_urls(space: Space, item: ReviewItem) -> list[str]:
    return [
        answer_url(item),
        reverse("memories:answer-many", args=[space.pk]),
        reverse("memories:undo-answers", args=[space.pk]),
    ]


def test_an_empty_inbox_says_what_will_come(space: Space, signed_in: Client) -> None:
    page = signed_in.get(page_of(space)).content.decode()

    assert "Nothing to review" in page
    assert 'id="review-count" hidden' in page


def test_the_question_stands_with_its_evidence_answers_and_keys(
    space: Space, signed_in: Client
) -> None:
    item = pair(space)

    page = signed_in.get(page_of(space)).content.decode()

    assert "Which of the two holds?" in page
    assert '<mark class="differs">Fridays</mark>' in page
    assert '<mark class="differs">Tuesdays</mark>' in page
    assert f'action="{answer_url(item)}"' in page
    for answer, key in ((Answer.KEPT_FIRST, "1"), (Answer.KEPT_BOTH, "b"), (LATER, "l")):
        assert f'value="{answer}"' in page
        assert f'data-key="{key}"' in page


def test_who_switched_keys_off_has_none(space: Space, user: User, signed_in: Client) -> None:
    User.objects.filter(pk=user.pk).update(has_shortcuts=False)
    pair(space)

    page = signed_in.get(page_of(space)).content.decode()

    assert "data-key" not in page
    assert "<kbd" not in page


@pytest.mark.parametrize(
    ("make", "asks"),
    [
        (expired, "Does this still hold?"),
        (unsourced, "Do you stand by this?"),
        (changed, "May this change stand?"),
        (forgotten_by_agent, "Shall this stay forgotten?"),
        (relearned, "Shall this hold again?"),
        (instruction, "Does this try to command an agent?"),
    ],
)
def test_every_question_is_put_in_words(
    space: Space, signed_in: Client, make: object, asks: str
) -> None:
    assert callable(make)
    make(space)

    assert asks in signed_in.get(page_of(space)).content.decode()


def test_what_agents_wrote_is_text_and_hides_nothing(space: Space, signed_in: Client) -> None:
    item = expired(space)
    with inside(space):
        Memory.objects.filter(pk=item.memory_id).update(content="<b>bold</b> pay\u202epal rules")

    page = signed_in.get(page_of(space)).content.decode()

    assert "<b>bold</b>" not in page
    assert "U+202E" in page


# Answering


def test_an_answer_is_carried_out_and_the_next_question_is_put(
    space: Space, signed_in: Client
) -> None:
    item, following = unsourced(space), expired(space)
    sent = {"answer": Answer.CONFIRMED_AS_MINE, "seen": "1", "next": following.pk}

    response = signed_in.post(answer_url(item), sent)

    decision_id = now(item).decision_id
    assert response.status_code == 302
    assert response["Location"] == page_of(space, f"?item={following.pk}&done={decision_id}")
    page = signed_in.get(response["Location"]).content.decode()
    assert "You made it yours." in page
    assert "Does this still hold?" in page
    assert f'value="{decision_id}"' in page


def test_htmx_gets_the_next_question_the_undo_and_the_number(
    space: Space, signed_in: Client
) -> None:
    item = unsourced(space)
    expired(space)

    response = signed_in.post(answer_url(item), {"answer": Answer.CONFIRMED_AS_MINE}, headers=HTMX)

    part = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in part
    assert part.count('id="inbox"') == 1
    assert 'hx-swap-oob="beforeend:#toasts"' in part
    assert "You made it yours." in part
    assert 'id="review-count" hx-swap-oob="true">1<' in part
    assert "HX-Request" in response["Vary"]


def test_a_page_that_the_browser_goes_back_to_is_whole(space: Space, signed_in: Client) -> None:
    headers = {**HTMX, "HX-History-Restore-Request": "true"}

    assert "<html" in signed_in.get(page_of(space), headers=headers).content.decode()


def test_putting_off_says_for_how_long(space: Space, signed_in: Client) -> None:
    item = unsourced(space)

    page = signed_in.post(answer_url(item), {"answer": LATER}, follow=True).content.decode()

    assert "Put off for a week." in page
    assert "All settled" in page
    assert "1 question that you put off comes back by itself." in page


def test_a_new_text_is_written(space: Space, signed_in: Client) -> None:
    item = pair(space)
    sent = {"answer": Answer.REWRITTEN, "content": "We deploy on both days.\r\nAlways."}

    signed_in.post(answer_url(item), sent)

    assert now(item).memory.content == "We deploy on both days.\nAlways."


def test_a_refusal_keeps_what_was_typed(space: Space, signed_in: Client) -> None:
    item = pair(space)

    response = signed_in.post(answer_url(item), {"answer": Answer.REWRITTEN, "content": "short"})

    page = response.content.decode()
    assert response.status_code == 422
    assert "The content has only 5 characters." in page
    assert ">short</textarea>" in page
    assert now(item).state == ReviewState.OPEN


@pytest.mark.parametrize("answer", ["", "whatever", Answer.MERGED])
def test_an_answer_that_is_none_is_refused(space: Space, signed_in: Client, answer: str) -> None:
    item = pair(space)

    assert signed_in.post(answer_url(item), {"answer": answer}).status_code == 422
    assert now(item).state == ReviewState.OPEN


def test_two_tabs_settle_a_question_once(space: Space, signed_in: Client) -> None:
    item = pair(space)
    signed_in.post(answer_url(item), {"answer": Answer.KEPT_BOTH})

    response = signed_in.post(answer_url(item), {"answer": Answer.KEPT_FIRST}, headers=HTMX)

    assert response.status_code == 422
    assert "This question was settled already." in response.content.decode()
    assert now(item).resolution == Answer.KEPT_BOTH


def test_an_answer_to_a_text_that_was_not_seen_is_refused(space: Space, signed_in: Client) -> None:
    item = pair(space)

    response = signed_in.post(answer_url(item), {"answer": Answer.KEPT_FIRST, "seen": "1.7"})

    assert "It changed while you were looking at it." in response.content.decode()


# Several at once, and back


def test_several_are_answered_at_once(space: Space, signed_in: Client) -> None:
    items = [unsourced(space), expired(space)]
    sent = {"item": [item.pk for item in items], "answer": LATER, "queue": ""}

    response = signed_in.post(reverse("memories:answer-many", args=[space.pk]), sent, follow=True)

    assert "2 questions put off for a week." in response.content.decode()
    assert {now(item).state for item in items} == {ReviewState.SNOOZED}


def test_what_could_not_be_answered_is_said(space: Space, signed_in: Client) -> None:
    items = [unsourced(space), expired(space)]
    sent = {"item": [item.pk for item in items], "answer": Answer.RENEWED}

    response = signed_in.post(reverse("memories:answer-many", args=[space.pk]), sent, headers=HTMX)

    part = response.content.decode()
    assert response.status_code == 200
    assert "1 of them could not be done: This is no answer to this question." in part
    assert "You renewed it." in part


@pytest.mark.parametrize("sent", [{}, {"item": "no id"}, {"item": NOBODYS, "answer": LATER}])
def test_nothing_selected_is_said(space: Space, signed_in: Client, sent: dict[str, str]) -> None:
    response = signed_in.post(reverse("memories:answer-many", args=[space.pk]), sent)

    assert response.status_code == 422


def test_what_was_just_answered_is_undone(space: Space, signed_in: Client) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    sent = {"decision": item.decision_id, "item": item.pk}

    response = signed_in.post(reverse("memories:undo-answers", args=[space.pk]), sent, follow=True)

    page = response.content.decode()
    assert "Undone. It waits for your answer again." in page
    assert "Which of the two holds?" in page
    assert now(item).state == ReviewState.OPEN


def test_what_was_settled_before_is_undone(space: Space, signed_in: Client) -> None:
    item = answered(instruction(space), Answer.LET_GO)
    page = signed_in.get(page_of(space, "?queue=settled")).content.decode()
    assert "You let it go" in page

    sent = {"item": item.pk, "queue": "settled"}
    response = signed_in.post(reverse("memories:undo-answers", args=[space.pk]), sent, headers=HTMX)

    assert response.status_code == 200
    assert now(item).memory.state == State.ACTIVE


def test_what_was_settled_elsewhere_is_listed_without_an_undo(
    space: Space, signed_in: Client
) -> None:
    item = changed(space)
    confirm_memory(space=space, actor=person_of(space), memory_id=item.memory_id)
    with inside(space):
        ReviewItem.objects.filter(pk=item.pk).update(resolution="rewritten_by_hand")

    page = signed_in.get(page_of(space, "?queue=settled")).content.decode()

    assert "Settled by what was done to the memory" in page
    assert reverse("memories:undo-answers", args=[space.pk]) not in page


def test_what_could_not_be_answered_is_said_without_scripts_too(
    space: Space, signed_in: Client
) -> None:
    items = [unsourced(space), expired(space)]
    sent = {"item": [item.pk for item in items], "answer": Answer.RENEWED}

    response = signed_in.post(reverse("memories:answer-many", args=[space.pk]), sent, follow=True)

    assert "1 of them could not be done" in response.content.decode()


def test_an_undo_of_nothing_is_said(space: Space, signed_in: Client) -> None:
    response = signed_in.post(reverse("memories:undo-answers", args=[space.pk]))

    assert response.status_code == 422
    assert "Nothing was selected." in response.content.decode()


def test_a_checkpoint_is_not_offered_to_become_a_decision(
    space: Space, signed_in: Client, agent: Actor
) -> None:
    fields = CheckpointFields(task="Shop", goal="Cards work", next_step="Try one")
    lapse(checkpoint_task(space=space, actor=agent, fields=fields).memory)
    notice_expired(space)

    page = signed_in.get(page_of(space)).content.decode()

    assert "It still holds" in page
    assert "Make it a decision" not in page


def test_an_undo_that_comes_too_late_is_said(space: Space, signed_in: Client) -> None:
    item = answered(pair(space), Answer.KEPT_FIRST)
    answered_again = {"decision": item.decision_id}
    signed_in.post(reverse("memories:undo-answers", args=[space.pk]), answered_again)

    response = signed_in.post(reverse("memories:undo-answers", args=[space.pk]), {"item": item.pk})

    assert response.status_code == 422
    assert "This question is open." in response.content.decode()


def test_what_was_put_off_is_brought_back(space: Space, signed_in: Client) -> None:
    item = answered(unsourced(space), LATER)
    assert "Bring it back" in signed_in.get(page_of(space, "?queue=later")).content.decode()

    signed_in.post(reverse("memories:undo-answers", args=[space.pk]), {"item": item.pk})

    assert now(item).state == ReviewState.OPEN


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?queue=later", "Nothing is put off"),
        ("?queue=settled", "Nothing was settled lately"),
        ("?queue=repeated", "This queue is done"),
    ],
)
def test_an_empty_queue_says_what_is_true(
    space: Space, signed_in: Client, query: str, says: str
) -> None:
    unsourced(space)

    assert says in signed_in.get(page_of(space, query)).content.decode()


@pytest.mark.parametrize("query", ["?item=none&queue=x&done=1", f"?item={NOBODYS}&done={NOBODYS}"])
def test_an_address_that_makes_no_sense_shows_the_inbox(
    space: Space, signed_in: Client, query: str
) -> None:
    assert signed_in.get(page_of(space, query)).status_code == 200


def test_every_page_of_the_space_shows_how_many_wait(space: Space, signed_in: Client) -> None:
    pair(space)

    for url in (space.get_absolute_url(), reverse("spaces:connect", args=[space.pk])):
        assert 'id="review-count">1<' in signed_in.get(url).content.decode()


# Who may


def test_a_stranger_sees_and_decides_nothing(space: Space, stranger: Client) -> None:
    item = pair(space)

    pages = [stranger.get(page_of(space))]
    pages += [stranger.post(url, {"answer": LATER}) for url in post_urls(space, item)]

    assert {page.status_code for page in pages} == {404}
    assert all(FRIDAY not in page.content.decode() for page in pages)
    assert now(item).state == ReviewState.OPEN


def test_a_question_of_another_space_of_the_same_person_is_not_reached(
    space: Space, signed_in: Client
) -> None:
    item = answered(pair(make_space(owner=space.owner)), Answer.KEPT_BOTH)
    sent = {"answer": LATER, "item": item.pk, "decision": item.decision_id}
    url = reverse("memories:answer", args=[space.pk, item.pk])
    undo = reverse("memories:undo-answers", args=[space.pk])

    assert signed_in.post(url, sent).status_code == 404
    assert signed_in.post(undo, sent).status_code == 404
    assert (
        TUESDAY not in signed_in.get(page_of(space, f"?done={item.decision_id}")).content.decode()
    )
    assert now(item).state == ReviewState.RESOLVED


def test_nothing_is_decided_by_following_a_link(space: Space, signed_in: Client) -> None:
    for url in post_urls(space, pair(space)):
        assert signed_in.get(url).status_code == 405


def test_the_inbox_is_only_read(space: Space, signed_in: Client) -> None:
    assert signed_in.post(page_of(space)).status_code == 405


def test_who_is_not_signed_in_is_asked_to(space: Space, client: Client) -> None:
    item = pair(space)

    assert client.get(page_of(space)).status_code == 302
    assert {client.post(url).status_code for url in post_urls(space, item)} == {302}


def test_a_form_of_another_site_decides_nothing(space: Space) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(space.owner)
    item = pair(space)

    for url in post_urls(space, item):
        assert client.post(url, {"answer": LATER}).status_code == 403


def test_the_number_of_questions_costs_no_queries(
    space: Space, signed_in: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(2):
        lapse(make_memory(space, f"Build {number} passed on main.", kind="observation"))
    notice_expired(space)
    with django_assert_num_queries(11):
        signed_in.get(page_of(space))
    for number in range(20):
        lapse(make_memory(space, f"Test {number} passed on main.", kind="observation"))
    notice_expired(space)

    with django_assert_num_queries(11):
        signed_in.get(page_of(space, f"?queue={Question.EXPIRED}"))


@pytest.mark.parametrize("side", [0, 1])
def test_both_memories_of_a_pair_lead_to_the_question(
    space: Space, signed_in: Client, side: int
) -> None:
    item = pair(space)
    memory = [item.memory, item.other][side]
    assert memory is not None

    page = signed_in.get(memory.get_absolute_url()).content.decode()

    assert f'href="{page_of(space, f"?item={item.pk}")}"' in page
