import { execFile } from 'node:child_process';
import { existsSync, readdirSync, chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@leadback/db';
import { tcpProxy, eventually, openTestDatabase, type TestDatabase, secretsKey } from '@leadback/testing';
import {
  findExecutable,
  findOrInstall,
  asUser,
  type Child,
  inheritedEnvironment,
  namedUser,
  serverUserOf,
  startChild,
  startedByRoot,
  whenReady,
  answersOk,
  freePort,
  localUrl,
  type LocalServer,
  sendSignal,
  makeRoles,
} from '@leadback/testing/stack';
import { inject, expect } from 'vitest';
import { z } from 'zod';
import type { Entry } from './ledger.ts';

/** The paths of what a cluster of Patroni consists of. */
export interface PatroniPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** Of PostgreSQL, with `pg_ctl`, `pg_basebackup` and `pg_rewind`, which the npm package of the other tests lacks. */
  readonly binFolder: string;
}

// python3-etcd: Patroni only recommends it
const packageNames = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql'];
const versions = '/usr/lib/postgresql';

/** Of the newest PostgreSQL of Debian. */
const findBinFolder = (): string | undefined => {
  const names = existsSync(versions) ? readdirSync(versions) : [];
  const [newest] = names.toSorted((one, other) => Number(other) - Number(one));
  const folder = join(versions, newest ?? '', 'bin');
  return findExecutable(['pg_rewind'], [folder]) && folder;
};

const find = (): PatroniPrograms | undefined => {
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map((name) =>
    findExecutable([name], ['/usr/bin', '/usr/sbin']),
  );
  const binFolder = findBinFolder();
  return patroni && etcd && haproxy && binFolder ? { patroni, etcd, haproxy, binFolder } : undefined;
};

const advice = `The test of the failover needs Patroni: install it (Debian: apt-get install ${packageNames.join(' ')})`;

/** The programs of Debian; installs them if they are missing. Starts none of their services. */
const findPatroni = async (): Promise<PatroniPrograms> => {
  await findOrInstall({
    find: () => find()?.patroni,
    packageNames,
    announcement: 'Installing Patroni, etcd, HAProxy and PostgreSQL with apt-get (70 MB) …',
    advice,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const found = find();
  if (!found) throw new Error(advice);
  return found;
};

interface ServerOptions {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** Of its log; its data are in `data` below it. */
  readonly dir: string;
  readonly isReady: () => Promise<boolean>;
}

const readyMs = 180_000;

/** PostgreSQL does not run as root, and Patroni runs it as the user that it runs as. */
const asItsUser = (command: ServerOptions['command'], dir: string) => {
  if (!startedByRoot()) return command;
  const user = namedUser(serverUserOf(join(dir, 'data')));
  chownSync(dir, user.uid, user.gid);
  chmodSync(dirname(dir), 0o711); // so that the user reaches it
  return asUser(user, command);
};

/** Starts a server, for root as another user, and waits until it is ready. */
const startServer = async ({ name, command, dir, isReady }: ServerOptions): Promise<Child> => {
  const child = await startChild({
    name,
    command: asItsUser(command, dir),
    cwd: dir,
    env: { ...inheritedEnvironment(), HOME: dir, LANG: 'C.UTF-8' },
    logFile: join(dir, 'log'),
  });
  await whenReady(child, isReady, readyMs);
  return child;
};

/** One etcd, which keeps who leads. Returns its address, such as `127.0.0.1:2379`. */
const startEtcd = async (etcd: string): Promise<{ readonly address: string; readonly child: Child }> => {
  const dir = await mkdtemp(join(inject('temporaryFolder'), 'etcd-'));
  const [client, peer] = [localUrl(await freePort()), localUrl(await freePort())];
  const options = {
    name: 'only',
    'data-dir': join(dir, 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `only=${peer}`,
  };
  const child = await startServer({
    name: 'etcd',
    command: [etcd, ...Object.entries(options).map(([option, value]) => `--${option}=${value}`)],
    dir,
    isReady: () => answersOk(`${client}/health`),
  });
  return { address: new URL(client).host, child };
};

/** How a node is reached. */
export interface NodePorts {
  readonly postgres: number;
  /** Of `postgres`, for other nodes: the test can cut their connections. */
  readonly replication: number;
  /** Of Patroni's REST API. */
  readonly rest: number;
}

interface NodeSettings {
  readonly name: string;
  readonly dir: string;
  readonly binFolder: string;
  readonly etcd: string;
  readonly ports: NodePorts;
  readonly isSynchronous: boolean;
}

const local = (port: number) => `127.0.0.1:${port}`;

/** The settings of Patroni, as its YAML file. Times are Patroni's defaults. */
const nodeSettings = ({ name, dir, binFolder, etcd, ports, isSynchronous }: NodeSettings): string =>
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

const statusSchema = z.object({
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  /** The standbys of a leader. */
  replication: z.array(z.object({ sync_state: z.string() })).optional(),
});

export interface PatroniNode extends Pick<LocalServer, 'url'> {
  readonly name: string;
  readonly ports: NodePorts;
  /** Through it, other nodes connect to this one. */
  readonly replication: Awaited<ReturnType<typeof tcpProxy>>;
  /** What Patroni says of its PostgreSQL. */
  status(): Promise<z.infer<typeof statusSchema>>;
  /** The log of Patroni and PostgreSQL. */
  log(): string;
  /** Starts Patroni, which starts PostgreSQL, and waits until it runs. */
  start(): Promise<void>;
  /** Kills all processes at once, like a machine that is lost. */
  kill(): void;
  /** Ends both. */
  stop(): Promise<void>;
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

interface NodeOptions {
  readonly name: string;
  readonly programs: PatroniPrograms;
  readonly etcd: string;
  readonly isSynchronous: boolean;
}

/** One PostgreSQL that Patroni manages. The first node that starts becomes the leader, and the others its standbys. */
const givenNode = async ({ name, programs, etcd, isSynchronous }: NodeOptions): Promise<PatroniNode> => {
  const { patroni, binFolder } = programs;
  const dir = await mkdtemp(join(inject('temporaryFolder'), `patroni-${name}-`));
  const postgres = await freePort();
  const url = `postgres://postgres@127.0.0.1:${postgres}/postgres`;
  const replication = await tcpProxy(url);
  const ports = { postgres, replication: Number(new URL(replication.url).port), rest: await freePort() };
  const rest = localUrl(ports.rest);
  const file = join(dir, 'patroni.yml');
  writeFileSync(file, nodeSettings({ name, dir, binFolder, etcd, ports, isSynchronous }));
  let child: Child | undefined;
  const postmaster = () => {
    try {
      return Number(readFileSync(join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  };

  return {
    name,
    url,
    ports,
    replication,
    status: async () => statusSchema.parse(await (await fetch(`${rest}/patroni`)).json()),
    log: () => readFileSync(join(dir, 'log'), 'utf8'),
    start: async () => {
      child = await startServer({
        name: `Patroni ${name}`,
        command: [patroni, file],
        dir,
        isReady: () => answersOk(`${rest}/health`),
      });
    },
    kill: () => {
      const pid = postmaster();
      for (const one of [child?.pid ?? 0, pid, ...childrenOf(pid)]) if (one > 1) sendSignal(one, 'SIGKILL');
    },
    stop: async () => {
      await child?.end('SIGTERM');
      const pid = postmaster();
      if (pid > 1) sendSignal(pid, 'SIGKILL');
      await replication[Symbol.asyncDispose]();
    },
  };
};

// as the documentation of Patroni shows it
const settingsOf = (port: number, statusPort: number, nodes: readonly PatroniNode[]) => `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 5s
frontend status
  mode http
  bind 127.0.0.1:${statusPort}
  monitor-uri /
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 3s fall 3 rise 2 on-marked-down shutdown-sessions
${nodes.map(({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.rest}`).join('\n')}
`;

/** An address that leads to the leader. */
const startHaproxy = async (
  haproxy: string,
  nodes: readonly PatroniNode[],
): Promise<{ readonly url: string; readonly child: Child }> => {
  const dir = await mkdtemp(join(inject('temporaryFolder'), 'haproxy-'));
  const [port, statusPort] = [await freePort(), await freePort()];
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, settingsOf(port, statusPort, nodes));
  const child = await startServer({
    name: 'HAProxy',
    command: [haproxy, '-db', '-f', file],
    dir,
    isReady: () => answersOk(`${localUrl(statusPort)}/`),
  });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, child };
};

export interface PatroniCluster extends AsyncDisposable {
  /** Migrated; its URL leads to whichever node leads. */
  readonly database: TestDatabase;
  readonly leader: PatroniNode;
  readonly standby: PatroniNode;
  /** Waits until this node has this role. */
  readonly becomes: (node: PatroniNode, role: 'leader' | 'standby') => Promise<void>;
}

/** Far longer than a failover takes on a busy machine. */
export const waitOptions = { timeout: 300_000, interval: 100 };

// Patroni 4 renames master
const rolesOf = { leader: /^(master|primary)$/, standby: /^replica$/ };

/** etcd, two nodes of Patroni, of which the second is a standby that streams, and HAProxy before them. */
export const givenCluster = async (isSynchronous: boolean): Promise<PatroniCluster> => {
  const programs = await findPatroni();
  const ours = new AsyncDisposableStack();
  try {
    const etcd = await startEtcd(programs.etcd);
    ours.defer(() => etcd.child.end('SIGKILL'));
    const given = async (name: string) => {
      const node = await givenNode({ name, programs, etcd: etcd.address, isSynchronous });
      ours.defer(() => node.stop());
      return node;
    };
    const [leader, standby] = [await given('one'), await given('two')];
    const haproxy = await startHaproxy(programs.haproxy, [leader, standby]);
    ours.defer(() => haproxy.child.end('SIGTERM'));
    const becomes: PatroniCluster['becomes'] = (node, role) =>
      eventually(async () => {
        const { role: found, state } = await node.status();
        expect([found, state]).toEqual([
          expect.stringMatching(rolesOf[role]),
          expect.stringMatching(/^(running|streaming)$/),
        ]);
      }, waitOptions);

    await leader.start();
    await becomes(leader, 'leader');
    await standby.start();
    await becomes(standby, 'standby');
    await eventually(() => makeRoles(haproxy.url), waitOptions);
    const database = await openTestDatabase(haproxy.url);
    await migrate(database.ownerUrl);
    // its connections end with the leader
    database.pool.on('error', () => {});
    const expected = isSynchronous ? 'sync' : 'async';
    await eventually(async () => {
      const { replication } = await leader.status();
      expect(replication?.map(({ sync_state: state }) => state)).toEqual([expected]);
    }, waitOptions);
    return { database, leader, standby, becomes, [Symbol.asyncDispose]: () => ours.disposeAsync() };
  } catch (error) {
    await ours.disposeAsync();
    throw error;
  }
};

const main = join(import.meta.dirname, '../../apps/operator/src/main.ts');
const run = promisify(execFile);
const findingsSchema = z.array(z.object({ check: z.string(), state: z.string(), finding: z.string() }));

/** What `doctor` says about failovers. */
export const failoversIn = async ({ url }: TestDatabase): Promise<z.infer<typeof findingsSchema>> => {
  const env = { ...process.env, DATABASE_URL: url, SECRETS_KEY: secretsKey.toString('base64') };
  // status 1, because there are errors
  const { stdout } = await run(process.execPath, [main, 'doctor', '--json'], { env }).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  return findingsSchema.parse(JSON.parse(stdout)).filter(({ check }) => check === 'failovers');
};

/** The ids of conversions in a finding such as `… : conversions 401-403, 540`. */
export const conversionsIn = (finding: string): number[] =>
  Array.from(/conversions (?<ranges>\d[\d, -]*)/.exec(finding)?.groups?.['ranges']?.split(', ') ?? []).flatMap(
    (range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    },
  );

/** The entries that the database does not have. */
export const notStored = async ({ pool }: TestDatabase, entries: readonly Entry[]): Promise<Entry[]> => {
  const { rows } = await pool.query<{ reference: string }>('select external_reference as reference from conversion');
  const stored = new Set(rows.map(({ reference }) => reference));
  return entries.filter(({ reference }) => !stored.has(reference));
};
