"""Where browser sessions are kept (SESSION_ENGINE): rows that know whose they are."""

from datetime import timedelta

from asgiref.sync import sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.utils import timezone

from accounts.models import BrowserSession

# What the sign-in view leaves in the session for the row.
USER_AGENT_KEY = "user_agent"
SEEN_EVERY = timedelta(minutes=1)


class SessionStore(RowStore[BrowserSession]):
    """Django's database store, with the person, the browser and when it was last seen."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def load(self) -> dict[str, object]:
        row = BrowserSession.objects.filter(
            session_key=self.session_key, expire_date__gt=timezone.now()
        ).first()
        if row is None:
            self._session_key = None
            return {}
        _note_seen(row)
        return self.decode(row.session_data)

    async def aload(self) -> dict[str, object]:
        return await sync_to_async(self.load)()

    def create_model_instance(self, data: dict[str, object]) -> BrowserSession:
        row = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)  # type: ignore[assignment]
        row.user_agent = str(data.get(USER_AGENT_KEY, ""))[:200]
        return row

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002
        """Write what the session holds; its age and its public id stay."""
        if must_create or self.session_key is None:
            super().save(must_create=must_create)
            return
        row = self.create_model_instance(self._get_session())  # type: ignore[attr-defined]
        changed = BrowserSession.objects.filter(pk=row.pk).update(
            session_data=row.session_data,
            expire_date=row.expire_date,
            user_id=row.user_id,
            user_agent=row.user_agent,
        )
        if not changed:
            # It was signed out from another browser: never bring it back.
            raise UpdateError

    async def asave(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002
        await sync_to_async(self.save)(must_create)


def _note_seen(row: BrowserSession) -> None:
    now = timezone.now()
    if row.user_id and row.last_seen_at < now - SEEN_EVERY:
        BrowserSession.objects.filter(pk=row.pk).update(last_seen_at=now)
