"""What this installation wants of the judge, read from the settings."""

from django.conf import settings

from memories.judges.options import Options, check


def judge_options() -> Options:
    return Options(
        url=settings.JUDGE_URL,
        model=settings.JUDGE_MODEL,
        key=settings.JUDGE_KEY,
        daily=settings.JUDGE_DAILY,
        timeout=settings.JUDGE_TIMEOUT,
        plain_http=settings.JUDGE_PLAIN_HTTP,
    )


def check_judge_options() -> None:
    """Raise WrongJudgeError for a setting that cannot work; nothing is sent."""
    check(judge_options())
