"""Settings, all in one file; every deployment choice comes from a variable (docs/operating.md)."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from brain.embedded.folder import DataFolder, default_root
from brain.env import (
    database_from_url,
    env_bool,
    env_int,
    env_list,
    env_origin,
    env_path,
    env_rate,
    env_str,
    refuse_lookalikes,
)
from brain.watching.errors import report_errors_to

django_stubs_ext.monkeypatch()
refuse_lookalikes(
    known={
        **dict.fromkeys(
            ("BRAIN_DATABASE_URL", "DB_URL", "POSTGRES_URL", "DATABASE_URI", "DATABASE_DSN"),
            "DATABASE_URL",
        ),
        **dict.fromkeys(
            ("BRAIN_BROKER_URL", "CELERY_BROKER_URL", "REDIS_URL", "VALKEY_URL"), "BROKER_URL"
        ),
    }
)

# --- Where it runs -------------------------------------------------------------------------------

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"
DEBUG = env_bool("BRAIN_DEBUG", default=False)
HOST = env_str("BRAIN_HOST", default="127.0.0.1")
PORT = env_int("BRAIN_PORT", default=8000, low=1, high=65535)
PUBLIC_URL = env_origin("BRAIN_PUBLIC_URL", default=f"http://127.0.0.1:{PORT}")
_public = urlsplit(PUBLIC_URL)
IS_LOCAL = _public.hostname in {"127.0.0.1", "localhost", "::1"}
IS_TLS = _public.scheme == "https"
if not IS_LOCAL and not IS_TLS and not env_bool("BRAIN_ALLOW_PLAIN_HTTP", default=False):
    raise ImproperlyConfigured(
        "BRAIN_PUBLIC_URL must start with https:// unless it is this machine: tokens and sign-in "
        "codes would cross the network in the clear. On a closed network set "
        "BRAIN_ALLOW_PLAIN_HTTP=true."
    )
if not IS_LOCAL and DEBUG:
    raise ImproperlyConfigured("BRAIN_DEBUG must be false when BRAIN_PUBLIC_URL is public.")
ALLOWED_HOSTS = [_public.hostname or "", *env_list("BRAIN_ALLOWED_HOSTS")]
if IS_LOCAL:
    ALLOWED_HOSTS += ["127.0.0.1", "localhost", "[::1]"]
TRUSTED_PROXIES = env_list("BRAIN_TRUSTED_PROXIES")
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Data services: embedded unless an address is given ------------------------------------------

_database_url = env_str("DATABASE_URL")
_broker_url = env_str("BROKER_URL")
EMBEDDED_DATABASE = not _database_url
EMBEDDED_BROKER = not _broker_url
if EMBEDDED_DATABASE and not IS_LOCAL and not env_bool("BRAIN_EMBEDDED", default=False):
    raise ImproperlyConfigured(
        "Set DATABASE_URL for a public address, or BRAIN_EMBEDDED=true to serve it from the "
        "embedded database on purpose."
    )
FOLDER = DataFolder(env_path("BRAIN_DATA_DIR", default=default_root()))
DATA_DIR = FOLDER.root
SECRET_KEY = env_str("BRAIN_SECRET_KEY")
if not SECRET_KEY:
    if not EMBEDDED_DATABASE:
        raise ImproperlyConfigured(
            "Set BRAIN_SECRET_KEY to a long random text, the same on every machine: "
            "python -c 'import secrets; print(secrets.token_urlsafe(48))'"
        )
    SECRET_KEY = FOLDER.credentials().secret_key

if EMBEDDED_DATABASE:
    _database: dict[str, object] = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "brain",
        "USER": "brain_app",
        "PASSWORD": FOLDER.credentials().brain_app,
        "HOST": str(FOLDER.run),
        "PORT": "5432",
        "OPTIONS": {},
    }
    DATABASE_OWNER = {"USER": "brain_owner", "PASSWORD": FOLDER.credentials().brain_owner}
else:
    _database = database_from_url("DATABASE_URL", _database_url)
    _owner = database_from_url(
        "DATABASE_OWNER_URL", env_str("DATABASE_OWNER_URL", default=_database_url)
    )
    DATABASE_OWNER = {"USER": str(_owner["USER"]), "PASSWORD": str(_owner["PASSWORD"])}
    DATABASE_BACKUP = database_from_url(
        "DATABASE_BACKUP_URL",
        env_str("DATABASE_BACKUP_URL", default=env_str("DATABASE_OWNER_URL") or _database_url),
    )
DATABASE_POOL_SIZE = env_int("BRAIN_DATABASE_POOL", default=10, low=2, high=200)
_options = _database["OPTIONS"]
assert isinstance(_options, dict)
_options["pool"] = {"min_size": 1, "max_size": DATABASE_POOL_SIZE, "timeout": 10}
DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def _valkey(scheme: str, database: int) -> str:
    """Return the address of one numbered database of the broker, for the client named by scheme."""
    if EMBEDDED_BROKER:
        return f"{scheme}://{FOLDER.valkey_socket}?db={database}"
    parts = urlsplit(_broker_url)
    if parts.scheme not in {"redis", "rediss"}:
        raise ImproperlyConfigured("BROKER_URL must look like redis://host:6379.")
    return parts._replace(path=f"/{database}").geturl()


BROKER_URL = (
    f"redis+socket://{FOLDER.valkey_socket}?virtual_host=0" if EMBEDDED_BROKER else _valkey("", 0)
)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": _valkey("unix", 1),
        "KEY_PREFIX": "brain",
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "brain.lib.channel_layer.ChannelLayer",
        # A page that listens waits 5 seconds at a time, as long as the client's own default.
        "CONFIG": {"hosts": [{"address": _valkey("unix", 2), "socket_timeout": 30}]},
    }
}
RATE_LIMIT_URL = _valkey("redis+unix", 3)

CELERY_BROKER_URL = BROKER_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A publish must never hold up a save: the row is the truth, the queue only a hint.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 1800,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
    "unacked_restore_throttle": 1,
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "clear-sign-in-codes": {"task": "accounts.tasks.clear_sign_in_codes", "schedule": 3600.0},
    "clear-browser-sessions": {"task": "accounts.tasks.clear_browser_sessions", "schedule": 3600.0},
    "embed-missing": {"task": "memories.tasks.embed_missing_everywhere", "schedule": 300.0},
    "embed-anew": {"task": "memories.tasks.embed_anew_everywhere", "schedule": 24 * 3600.0},
    "compare-missing": {"task": "memories.tasks.compare_missing_everywhere", "schedule": 300.0},
    "look-through": {"task": "memories.tasks.look_through_everywhere", "schedule": 3600.0},
    "tidy-reads": {"task": "memories.tasks.tidy_reads_everywhere", "schedule": 6 * 3600.0},
    "apply-retention": {
        "task": "memories.tasks.apply_retention_everywhere",
        "schedule": 24 * 3600.0,
    },
    "tidy-imports": {"task": "memories.tasks.tidy_imports_everywhere", "schedule": 300.0},
    "clear-job-runs": {"task": "brain.tasks.clear_job_runs", "schedule": 3600.0},
    "clear-oauth": {"task": "mcp_gateway.tasks.clear_oauth", "schedule": 3600.0},
}

# --- The application -----------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts.admin_app.OperatorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "oauth2_provider",
    "template_partials",
    "brain",
    "accounts",
    "spaces",
    "memories",
    "mcp_gateway",
]
MIDDLEWARE = [
    "brain.watching.health.HealthMiddleware",
    "brain.watching.metrics.MetricsMiddleware",
    "brain.middleware.RequestIdMiddleware",
    "brain.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "brain.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Before the check of forms, which finds nothing in a body that was cut off.
    "brain.middleware.DoorMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "accounts.http.ActorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "brain.middleware.SeenMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "brain.middleware.DomainErrorMiddleware",
]
ROOT_URLCONF = "brain.urls"
ASGI_APPLICATION = "brain.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "spaces.context.own_spaces",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    }
]
STATIC_URL = "/static/"
STATICFILES_DIRS: list[Path] = []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("pt-br", "Português do Brasil")]
LOCALE_PATHS = [BASE_DIR / "locale"]

# --- People --------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
# Nobody has a password; the second one is for the secrets of OAuth clients.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "mcp_gateway.oauth.hashers.RandomSecretHasher",
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "spaces:list"
SESSION_ENGINE = "accounts.sessions"
# Browsers take a cookie of such a name from this host only, over TLS, and for the whole of it.
_prefix = "__Host-" if IS_TLS else ""
SESSION_COOKIE_NAME = f"{_prefix}brain_session"
SESSION_COOKIE_AGE = 30 * 24 * 3600
CSRF_COOKIE_NAME = f"{_prefix}brain_csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_TLS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

EMAIL_BACKEND = "accounts.mail.TerminalBackend"
DEFAULT_FROM_EMAIL = env_str("BRAIN_EMAIL_FROM", default="Agents Brain <brain@localhost>")
if _smtp := env_str("BRAIN_SMTP_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _smtp
    EMAIL_PORT = env_int("BRAIN_SMTP_PORT", default=587, low=1, high=65535)
    EMAIL_HOST_USER = env_str("BRAIN_SMTP_USER")
    EMAIL_HOST_PASSWORD = env_str("BRAIN_SMTP_PASSWORD")
    EMAIL_USE_TLS = env_bool("BRAIN_SMTP_TLS", default=True)
    EMAIL_TIMEOUT = 10

SIGN_IN_CODE_MINUTES = 10
SIGN_IN_CODE_TRIES = 5
# Rate limits, in the notation of the `limits` library.
SIGN_IN_LIMITS = {
    "request:ip": "30/10minutes",
    "request:email": "5/10minutes",
    # With five tries a code, this also bounds how long anybody may go on guessing.
    "request:email:day": "20/day",
    "try:ip": "60/10minutes",
    "try:email": "15/10minutes",
}

# The second factor of operators: how many tries, how long it opens Django admin in one browser,
# and how long a code for its set-up waits.
SECOND_FACTOR_LIMIT = "10/10minutes"
OPERATOR_HOURS = 12
SETUP_CODE_HOURS = 24
# Whether superusers may read what people remember; every such look is in the space's ledger.
OPERATORS_READ_MEMORIES = env_bool("BRAIN_OPERATORS_READ_MEMORIES", default=False)
OTP_TOTP_ISSUER = "Agents Brain"

# --- Spaces and memories (numbers of the product contract) ---------------------------------------

SPACES_PER_ACCOUNT = env_int("BRAIN_SPACES_PER_ACCOUNT", default=5, low=1, high=10_000)
OBSERVATION_DAYS = env_int("BRAIN_OBSERVATION_DAYS", default=30, low=1, high=3650)
CHECKPOINT_DAYS = env_int("BRAIN_CHECKPOINT_DAYS", default=14, low=1, high=3650)
# The ledger of reads: how long it goes back, and for how long every single read has its line.
RECALL_DAYS = env_int("BRAIN_RECALL_DAYS", default=90, low=1, high=3650)
RECALL_DETAIL_DAYS = env_int("BRAIN_RECALL_DETAIL_DAYS", default=1, low=1, high=3650)
# The largest file that can be imported, and how long the report of an import stays.
IMPORT_MAX_MB = env_int("BRAIN_IMPORT_MAX_MB", default=100, low=1, high=10_000)
IMPORT_REPORT_DAYS = 7
# How long operators see what became of a job.
JOB_RUN_DAYS = env_int("BRAIN_JOB_RUN_DAYS", default=14, low=1, high=365)

# --- Search by meaning (memories/embedders) ------------------------------------------------------

EMBEDDER = env_str("BRAIN_EMBEDDER", default="auto")
DUPLICATES_EMBEDDER = env_str("BRAIN_DUPLICATES_EMBEDDER", default="auto")
# Whether a web process loads the models before it answers anybody.
WARM_UP = env_bool("BRAIN_WARM_UP", default=False)
EMBEDDER_THREADS = env_int("BRAIN_EMBEDDER_THREADS", default=1, low=1, high=64)
EMBEDDER_DOWNLOADS = env_bool("BRAIN_EMBEDDER_DOWNLOADS", default=False)
EMBEDDER_DIMENSIONS = env_int("BRAIN_EMBEDDER_DIMENSIONS", default=0, low=0, high=4000)
EMBEDDER_LIMIT = env_int("BRAIN_EMBEDDER_LIMIT", default=8000, low=100, high=1_000_000)
EMBEDDER_REVISION = env_str("BRAIN_EMBEDDER_REVISION")
# Not trimmed: a prefix such as "query: " ends with a blank.
EMBEDDER_DOCUMENT_PREFIX = os.environ.get("BRAIN_EMBEDDER_DOCUMENT_PREFIX", "")
EMBEDDER_QUERY_PREFIX = os.environ.get("BRAIN_EMBEDDER_QUERY_PREFIX", "")
EMBEDDER_PAIR_PREFIX = os.environ.get("BRAIN_EMBEDDER_PAIR_PREFIX", "")
EMBEDDER_THRESHOLDS = env_list("BRAIN_EMBEDDER_THRESHOLDS")
EMBEDDER_URL = env_str("BRAIN_EMBEDDER_URL")
EMBEDDER_MODEL = env_str("BRAIN_EMBEDDER_MODEL")
EMBEDDER_KEY = env_str("BRAIN_EMBEDDER_KEY")
EMBEDDER_BATCH = env_int("BRAIN_EMBEDDER_BATCH", default=32, low=1, high=2048)
EMBEDDER_TIMEOUT = env_int("BRAIN_EMBEDDER_TIMEOUT", default=10, low=1, high=300)
EMBEDDER_BATCH_TIMEOUT = env_int("BRAIN_EMBEDDER_BATCH_TIMEOUT", default=60, low=1, high=3600)
EMBEDDER_SHORTEN = env_bool("BRAIN_EMBEDDER_SHORTEN", default=False)
EMBEDDER_PLAIN_HTTP = env_bool("BRAIN_EMBEDDER_PLAIN_HTTP", default=False)

# --- The judge of pairs that the rules leave open (memories/judges); off without an address -------

JUDGE_URL = env_str("BRAIN_JUDGE_URL")
JUDGE_MODEL = env_str("BRAIN_JUDGE_MODEL")
JUDGE_KEY = env_str("BRAIN_JUDGE_KEY")
JUDGE_DAILY = env_int("BRAIN_JUDGE_DAILY", default=200, low=1, high=1_000_000)
JUDGE_TIMEOUT = env_int("BRAIN_JUDGE_TIMEOUT", default=20, low=1, high=120)
JUDGE_PLAIN_HTTP = env_bool("BRAIN_JUDGE_PLAIN_HTTP", default=False)

# --- Agents: MCP and OAuth -----------------------------------------------------------------------

MCP_THREADS = env_int("BRAIN_MCP_THREADS", default=8, low=1, high=100)
MCP_MAX_BODY_BYTES = 256 * 1024
MCP_ALLOWED_ORIGINS = env_list("BRAIN_MCP_ALLOWED_ORIGINS")
OAUTH_REFRESH_GRACE_SECONDS = 60
OAUTH_UNUSED_CLIENT_DAYS = 1
OAUTH_REGISTRATION_LIMIT = env_rate("BRAIN_LIMIT_REGISTRATIONS", default="30/hour")
OAUTH2_PROVIDER_APPLICATION_MODEL = "mcp_gateway.Application"
OAUTH2_PROVIDER = {
    "SCOPES": {"auth:read": "Search and read", "auth:write": "Save, revise and forget"},
    "DEFAULT_SCOPES": ["auth:read", "auth:write"],
    "OIDC_ISS_ENDPOINT": PUBLIC_URL,
    "OAUTH2_VALIDATOR_CLASS": "mcp_gateway.oauth.validator.SpaceBoundValidator",
    "CLIENT_SECRET_HASHER": "random_secret",
    "PKCE_REQUIRED": True,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 60 * 24 * 3600,
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOW_LOCALHOST_LOOPBACK": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": [
        "https", "http", "cursor", "vscode", "vscode-insiders", "windsurf",
    ],
    "ALLOWED_SCHEMES": ["https", "http"],
    "DCR_ENABLED": True,
    "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
    # A client that sees CIMD offered picks it and has no way back, so it is offered only
    # where this server can fetch the client's document and be fetched itself.
    "CIMD_ENABLED": env_bool("BRAIN_CIMD", default=IS_TLS and not IS_LOCAL),
    "CIMD_METADATA_FETCHER": "mcp_gateway.oauth.client_documents.ClientDocumentFetcher",
    "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
    "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
    "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": [
        "none", "client_secret_post", "client_secret_basic",
    ],
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}  # fmt: skip

# --- Limits --------------------------------------------------------------------------------------

# Each guards the machine from one caller that runs wild; far above what people and agents do.
RATE_LIMITS = {
    "mcp:token": env_rate("BRAIN_LIMIT_MCP_TOKEN", default="1200/minute"),
    "mcp:account": env_rate("BRAIN_LIMIT_MCP_ACCOUNT", default="2400/minute"),
    "mcp:network": env_rate("BRAIN_LIMIT_MCP_NETWORK", default="6000/minute"),
    "refused:network": env_rate("BRAIN_LIMIT_REFUSED", default="600/minute"),
    "rest:token": env_rate("BRAIN_LIMIT_REST_TOKEN", default="1200/minute"),
    "rest:account": env_rate("BRAIN_LIMIT_REST_ACCOUNT", default="1200/minute"),
    "rest:network": env_rate("BRAIN_LIMIT_REST_NETWORK", default="6000/minute"),
    "oauth:network": env_rate("BRAIN_LIMIT_OAUTH", default="600/minute"),
    "write:account": env_rate("BRAIN_LIMIT_WRITES", default="300/minute"),
    "write:network": env_rate("BRAIN_LIMIT_WRITES_NETWORK", default="1200/minute"),
}
MEMORIES_PER_SPACE = env_int("BRAIN_MEMORIES_PER_SPACE", default=100_000, low=100, high=100_000_000)
MAX_BODY_BYTES = env_int("BRAIN_MAX_BODY_BYTES", default=1024 * 1024, low=65_536, high=2**30)

# --- Security ------------------------------------------------------------------------------------

SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_TLS else 0
# Names below this one are somebody else's, unless the operator says that they have TLS too.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env_bool("BRAIN_HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
# Behind a proxy that says how the request came; without one nobody would say that it was https.
SECURE_SSL_REDIRECT = env_bool("BRAIN_TLS_REDIRECT", default=IS_TLS and bool(TRUSTED_PROXIES))
# Who watches asks the process itself, beside the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SILENCED_SYSTEM_CHECKS = [
    # Advice that is a choice here, with its reason above.
    *([] if SECURE_HSTS_INCLUDE_SUBDOMAINS else ["security.W005", "security.W021"]),
    *([] if SECURE_SSL_REDIRECT else ["security.W008"]),
    # Plain http is for programs on the person's own computer (RFC 8252); ours refuse the rest.
    "oauth2_provider.W008",
]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        # Only the scripts that a page names itself, each with the nonce of this one answer.
        "script-src": [NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

# --- What operators look at (brain/watching) -----------------------------------------------------

METRICS_TOKEN = env_str("BRAIN_METRICS_TOKEN")
LOG_FORMAT = env_str("BRAIN_LOG_FORMAT", default="line")
if LOG_FORMAT not in {"line", "json"}:
    raise ImproperlyConfigured("BRAIN_LOG_FORMAT must be line or json.")
if _sentry := env_str("BRAIN_SENTRY_DSN"):
    report_errors_to(_sentry, release=VERSION)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "brain.watching.logs.json_formatter"},
    },
    "filters": {"secrets": {"()": "brain.log_filter.SecretFilter"}},
    "handlers": {
        "terminal": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["secrets"],
        }
    },
    "root": {"handlers": ["terminal"], "level": env_str("BRAIN_LOG_LEVEL", default="WARNING")},
    "loggers": {
        "uvicorn": {"handlers": ["terminal"], "level": "WARNING", "propagate": False},
        # At DEBUG these print authorisation codes and tokens.
        "oauth2_provider": {"level": "WARNING"},
        "oauthlib": {"level": "WARNING"},
        # Logs request paths of refused calls; ours name the same by request id.
        "django.request": {"level": "ERROR"},
        "django.security.csrf": {"level": "ERROR"},
        # Logs what clients sent.
        "mcp": {"level": "ERROR"},
        # Logs the text of an error, which may quote a row; brain/jobs says the rest.
        "celery.app.trace": {"level": "CRITICAL"},
    },
}
