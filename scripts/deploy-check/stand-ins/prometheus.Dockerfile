# Stands in for prom/prometheus: Prometheus of Debian, with the volume and the start of the official image.
FROM leadback-check/debian:trixie
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
  && apt-get update \
  && apt-get install --yes --no-install-recommends prometheus \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=nobody --group=nogroup /prometheus
USER nobody
VOLUME /prometheus
EXPOSE 9090
ENTRYPOINT ["prometheus"]
CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]
