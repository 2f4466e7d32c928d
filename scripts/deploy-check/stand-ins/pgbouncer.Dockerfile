# Stands in for edoburu/pgbouncer:*: PgBouncer of Debian, with the user of that image.
FROM leadback-check/debian:trixie
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
  && apt-get update \
  && apt-get install --yes --no-install-recommends pgbouncer \
  && rm -rf /var/lib/apt/lists/*
USER postgres
CMD ["pgbouncer", "/etc/pgbouncer/pgbouncer.ini"]
