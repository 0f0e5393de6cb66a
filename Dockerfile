# The server's image: Python and the pinned packages of the [server] extra, nothing else.

FROM docker.io/library/python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /opt/simonrace
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY engine engine
COPY protocol protocol
COPY server server
COPY client_cli client_cli
COPY demo demo
COPY conformance conformance
COPY locales locales
RUN /opt/simonrace/bin/pip install --disable-pip-version-check --no-cache-dir -c requirements.lock '.[server]' \
    && /opt/simonrace/bin/pip uninstall --yes pip

FROM docker.io/library/python:3.13-slim
RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin simonrace
COPY --from=build /opt/simonrace /opt/simonrace
ENV PATH=/opt/simonrace/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    SIMONRACE_HOST=0.0.0.0 \
    SIMONRACE_LOG_FORMAT=json
USER 10001:10001
EXPOSE 7466
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import http.client, os; c = http.client.HTTPConnection('127.0.0.1', int(os.environ.get('SIMONRACE_PORT') or 7466), timeout=2); c.request('GET', '/readyz'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["simonrace-server"]
