# Stands in for haproxy:*: HAProxy of Debian, with the user and the start of the official image.
FROM leadback-check/debian:trixie
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
  && apt-get update \
  && apt-get install --yes --no-install-recommends haproxy wget \
  && rm -rf /var/lib/apt/lists/*
USER haproxy
STOPSIGNAL SIGUSR1
ENTRYPOINT ["haproxy"]
CMD ["-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
