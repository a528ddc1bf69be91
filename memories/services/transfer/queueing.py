"""Tell the worker that an import has work; its row says what, a sweep finds what is lost."""

from functools import partial

from brain.lib.hints import send_after_commit
from memories import tasks
from memories.models import Transfer


def go_on_later(transfer: Transfer) -> None:
    """Queue the job after the commit; without a broker the sweep or the open page asks again."""
    send = partial(tasks.go_on_with_import.delay, str(transfer.space_id), str(transfer.pk))
    send_after_commit(send, key=("import", transfer.pk))
