"""Everything of an account, as a file to keep."""

import tempfile

from django.contrib.auth.decorators import login_required
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.http import SignedInRequest
from accounts.services.exporting import write_account
from brain.lib.downloads import as_download


@login_required
@require_GET
def export(request: SignedInRequest) -> StreamingHttpResponse:
    out = tempfile.TemporaryFile()  # noqa: SIM115  closed when it is sent
    write_account(request.user, out)
    name = f"agents-brain-{timezone.localdate().isoformat()}.zip"
    return as_download(request, out, name=name, kind="application/zip")
