"""The mails that were sent, for those who try the product; exists only while DEBUG is on."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.mail import recent_mail


@never_cache
@require_safe
def mail(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    return render(request, "accounts/development_mail.html", {"mails": recent_mail()})
