# One image for web, worker and scheduler. No database in it: see compose.yaml.
FROM python:3.13-slim AS packages
COPY requirements.txt requirements-meaning.txt /
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --requirement /requirements-meaning.txt

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home brain
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DJANGO_SETTINGS_MODULE=brain.settings
COPY --from=packages /venv /venv
WORKDIR /app
COPY --chown=root:root . .
USER brain
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["uvicorn", "brain.asgi:application", "--host=0.0.0.0", "--port=8000", "--proxy-headers", \
     "--forwarded-allow-ips=*", "--no-server-header", "--no-access-log", "--log-level=warning", \
     "--timeout-graceful-shutdown=20"]
