# Winnow over HTTP: docker build -t winnow . (docs/install.md)
# The versions are those of requirements.lock, which `make test` ran with.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE requirements.lock ./
COPY src ./src
RUN sed -E 's/ *\\$//; /--hash=/d' requirements.lock > /constraints.txt \
 && python -m venv /opt/winnow \
 && /opt/winnow/bin/pip install --no-cache-dir --disable-pip-version-check --constraint /constraints.txt \
    ".[server,mcp,live,postgres,documents]" \
 && /opt/winnow/bin/pip uninstall --yes --quiet pip

FROM python:3.13-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin winnow \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /opt/winnow /opt/winnow
ENV PATH=/opt/winnow/bin:$PATH WINNOW_HOME=/data PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
# Nothing outside of /data and /tmp is written, so the root may be read-only.
USER 10001:10001
VOLUME /data
EXPOSE 8477
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8477/health', timeout=4)"]
ENTRYPOINT ["winnow"]
# Another address than 127.0.0.1 is only listened at once there is a key: winnow keys add NAME.
CMD ["serve", "--host", "0.0.0.0"]
