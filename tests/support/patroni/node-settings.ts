import { join } from 'node:path';

/** How a node is reached. */
export interface NodePorts {
  readonly postgres: number;
  /** Of `postgres`, for other nodes: the test can cut their connections. */
  readonly replication: number;
  /** Of Patroni's REST API. */
  readonly rest: number;
}

interface NodeOptions {
  readonly name: string;
  readonly dir: string;
  readonly binFolder: string;
  readonly etcd: string;
  readonly ports: NodePorts;
  readonly isSynchronous: boolean;
}

const local = (port: number) => `127.0.0.1:${port}`;

/** The settings of Patroni, as its YAML file. Times are Patroni's defaults. */
export const nodeSettings = ({ name, dir, binFolder, etcd, ports, isSynchronous }: NodeOptions): string =>
  JSON.stringify({
    scope: 'leadback',
    name,
    restapi: { listen: local(ports.rest), connect_address: local(ports.rest) },
    etcd3: { host: etcd },
    bootstrap: {
      dcs: {
        ttl: 30,
        loop_wait: 10,
        retry_timeout: 10,
        // default: 1 MB. With it, a standby that misses more is not promoted, and nothing is accepted until the leader returns
        maximum_lag_on_failover: 1024 ** 3,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 300 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: local(ports.postgres),
      connect_address: local(ports.replication),
      data_dir: join(dir, 'data'),
      bin_dir: binFolder,
      pgpass: join(dir, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication replicator 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: '' },
      // what cannot be rewound is cloned
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverging_timelines: true,
    },
  });
