# Stands in for rabbitmq:*: RabbitMQ of Debian, with the variables, the volume and the start of the official image.
FROM leadback-check/debian:trixie
RUN groupadd --system --gid 999 rabbitmq \
  && useradd --system --uid 999 --gid rabbitmq --home-dir /var/lib/rabbitmq rabbitmq \
  && printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d \
  && apt-get update \
  && apt-get install --yes --no-install-recommends rabbitmq-server \
  && rm -rf /var/lib/apt/lists/* /var/lib/rabbitmq/* /var/lib/rabbitmq/.erlang.cookie \
  && ln -s /usr/lib/rabbitmq/lib/rabbitmq_server-* /usr/lib/rabbitmq/server \
  && install --directory --owner=rabbitmq --group=rabbitmq /var/lib/rabbitmq /var/log/rabbitmq /etc/rabbitmq/conf.d
# not the wrappers of /usr/sbin, which change the user
ENV PATH=/usr/lib/rabbitmq/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  RABBITMQ_DATA_DIR=/var/lib/rabbitmq HOME=/var/lib/rabbitmq LANG=C.UTF-8 RABBITMQ_LOGS=- \
  RABBITMQ_PLUGINS_DIR=/usr/lib/rabbitmq/server/plugins
# on in the official image
RUN rabbitmq-plugins enable --offline rabbitmq_prometheus && chown rabbitmq:rabbitmq /etc/rabbitmq/enabled_plugins
COPY --chmod=755 rabbitmq-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/rabbitmq
EXPOSE 4369 5671 5672 15691 15692 25672
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["rabbitmq-server"]
