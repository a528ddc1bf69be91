"""REST: the questions that only the person can settle."""

from ninja import Field, Query, Schema

from memories.api.bodies import AnswerIn
from memories.api.presenters import question_out
from memories.api.requests import (
    PROBLEMS,
    WRITE_PROBLEMS,
    Cursor,
    Limit,
    QuestionId,
    RestRequest,
    SpaceId,
)
from memories.api.routes import router
from memories.api.schemas import QuestionOut, QuestionPage
from memories.models import Question
from memories.queries.programs import question_row, waiting_questions
from memories.services.resolutions.cases import Reply
from memories.services.resolutions.undoing import undo_answer
from memories.services.reviewing import Wording, give_answer
from spaces.access import owned_space, readable_space


class ReviewQuery(Schema):
    question: Question | None = Field(
        None, description="Only this kind of question.", examples=["disagreement"]
    )
    after: Cursor = ""
    limit: Limit = 50


@router.get("/review", tags=["review"], response={200: QuestionPage, **PROBLEMS})
def list_questions(
    request: RestRequest, space_id: SpaceId, asked: Query[ReviewQuery]
) -> QuestionPage:
    """List what waits for the person's answer, the oldest first."""
    page = waiting_questions(
        readable_space(space_id, request.actor),
        question=asked.question or "",
        after=asked.after,
        limit=asked.limit,
    )
    return QuestionPage(items=[question_out(item) for item in page.rows], after=page.after)


@router.get("/review/{question_id}", tags=["review"], response={200: QuestionOut, **PROBLEMS})
def read_question(request: RestRequest, space_id: SpaceId, question_id: QuestionId) -> QuestionOut:
    """Return one question, settled or not."""
    return question_out(question_row(readable_space(space_id, request.actor), question_id))


@router.post(
    "/review/{question_id}/answer", tags=["review"], response={200: QuestionOut, **WRITE_PROBLEMS}
)
def answer_question(
    request: RestRequest, space_id: SpaceId, question_id: QuestionId, body: AnswerIn
) -> QuestionOut:
    """Settle a question, as the person: with the dashboard's session, never with a key."""
    space = owned_space(space_id, request.actor)
    reply = Reply(space, request.actor, question_id, seen=body.seen)
    words = Wording(content=body.content, source=body.source, rationale=body.rationale)
    give_answer(reply, body.answer, wording=words)
    return question_out(question_row(space, question_id))


@router.post("/review/{question_id}/undo", tags=["review"], response={200: QuestionOut, **PROBLEMS})
def take_back_answer(
    request: RestRequest, space_id: SpaceId, question_id: QuestionId
) -> QuestionOut:
    """Take an answer back, as the person."""
    space = owned_space(space_id, request.actor)
    undo_answer(space=space, actor=request.actor, item_id=question_id)
    return question_out(question_row(space, question_id))
