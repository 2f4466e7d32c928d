# Stands in for postgres:*: PostgreSQL of Debian, with the variables, the volume and the start of the official image.
FROM leadback-check/debian:trixie
RUN groupadd --system --gid 999 postgres \
  && useradd --system --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
  && apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-common \
  && sed -i 's/^#create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf \
  && apt-get install --yes --no-install-recommends postgresql \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /usr/lib/postgresql/* /usr/lib/postgresql/current \
  && mkdir /docker-entrypoint-initdb.d \
  && install --directory --owner=postgres --group=postgres --mode=1777 /var/lib/postgresql /var/run/postgresql
ENV PATH=/usr/lib/postgresql/current/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  PGDATA=/var/lib/postgresql/docker
COPY --chmod=755 postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
