import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { freePort, isListening } from '../network.ts';
import { writePrivately } from '../private-files.ts';
import {
  endLeftOver,
  inheritedEnvironment,
  runCommand,
  type Child,
  startChild,
  whenReady,
} from '../processes/processes.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';
import { serverAlone } from './server-alone.ts';

const deployedFile = join(import.meta.dirname, '../../../../../deploy/rabbitmq/definitions.json');

const ofHostSchema = z.array(z.looseObject({ vhost: z.string() }));
const definitionsSchema = z.object({
  users: z.array(z.object({ name: z.string(), tags: z.array(z.string()) })),
  permissions: ofHostSchema,
  exchanges: ofHostSchema,
  queues: ofHostSchema,
  bindings: ofHostSchema,
  policies: ofHostSchema,
});

type OfHost = z.infer<typeof ofHostSchema>;

/** The virtual host of the apps. */
export const ownVirtualHost = 'leadback';

/** Has all permissions on a local broker. There is no such user in production. */
const administrator = 'administrator';

const deployed = () => definitionsSchema.parse(JSON.parse(readFileSync(deployedFile, 'utf8')));

/** Virtual hosts as deployed, in RabbitMQ's format: permissions of the apps, what the api may not declare, and policies. */
export const hostDefinitions = (names: readonly string[]) => {
  const { permissions, exchanges, queues, bindings, policies } = deployed();
  const inEach = (entries: OfHost): OfHost => names.flatMap((vhost) => entries.map((entry) => ({ ...entry, vhost })));
  const all = { user: administrator, vhost: '', configure: '.*', write: '.*', read: '.*' };
  return {
    vhosts: names.map((name) => ({ name })),
    permissions: inEach([...permissions, all]),
    exchanges: inEach(exchanges),
    queues: inEach(queues),
    bindings: inEach(bindings),
    policies: inEach(policies),
  };
};

/** Loaded by a local broker at every start. All users have the same password. */
export const brokerDefinitions = (password: string) => ({
  users: [...deployed().users, { name: administrator, tags: ['administrator'] }].map((user) => ({ ...user, password })),
  ...hostDefinitions([ownVirtualHost]),
});

/** rabbitmq.conf: small enough for a developer's machine, large enough for a load test. */
export const nodeLimits = `vm_memory_high_watermark.absolute = 1GB
disk_free_limit.absolute = 50MB
`;

interface NodePorts {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

// the port mapper that Erlang starts by default is a daemon and would keep running
const privately = '-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false';

interface NodePlace {
  readonly dir: string;
  readonly home: string;
  readonly name: string;
  readonly ports: NodePorts;
}

/**
 * The environment of a private node: it only writes to `dir`, besides the Erlang cookie in `home`, and only listens on these
 * ports of 127.0.0.1.
 */
const nodeEnvironment = ({ dir, home, name, ports }: NodePlace) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  RUNNING_UNDER_SYSTEMD: 'true', // otherwise a shell script would be the parent of the Erlang VM
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(ports.epmd),
  RABBITMQ_NODENAME: `${name}@localhost`,
  RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
  RABBITMQ_NODE_PORT: String(ports.amqp),
  RABBITMQ_DIST_PORT: String(ports.distribution),
  RABBITMQ_CONFIG_FILE: join(dir, 'rabbitmq.conf'),
  RABBITMQ_ADVANCED_CONFIG_FILE: join(dir, 'advanced.config'),
  RABBITMQ_CONF_ENV_FILE: join(dir, 'rabbitmq-env.conf'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(dir, 'enabled_plugins'),
  RABBITMQ_GENERATED_CONFIG_DIR: join(dir, 'generated'),
  RABBITMQ_SCHEMA_DIR: join(dir, 'schema'),
  RABBITMQ_MNESIA_BASE: join(dir, 'data'),
  RABBITMQ_LOG_BASE: dir,
  RABBITMQ_LOGS: '-', // to standard output, which goes to the log file
  // no busy waiting: several nodes share a small machine with everything else
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${privately} +sbwt none +sbwtdcpu none +sbwtdio none`,
  RABBITMQ_CTL_ERL_ARGS: privately,
});

/** Knows the ports of Erlang nodes. */
interface PortMapper {
  readonly port: number;
  /** Starts it if it is not running; ends one that an earlier run left. */
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const mapperReadyMs = 10_000;

/** The port mapper of some nodes. Otherwise a node would start a shared daemon, which keeps running. */
export const portMapper = async (dir: string): Promise<PortMapper> => {
  const port = await freePort();
  const pidFile = join(dir, 'epmd.pid');
  const command = ['epmd', '-port', String(port), '-address', '127.0.0.1'] as const;
  const launch = async (): Promise<Child> => {
    await endLeftOver(pidFile, 'SIGTERM');
    const child = await startChild({
      name: 'epmd',
      command,
      cwd: dir,
      env: inheritedEnvironment(),
      logFile: join(dir, 'epmd.log'),
    });
    writePrivately(pidFile, `${child.pid}\n${command.join(' ')}`);
    await whenReady(child, () => isListening(port), mapperReadyMs);
    return child;
  };
  // nodes that start together wait for the same one
  let running: Promise<Child> | undefined;
  const relaunchIfEnded = async (before: Promise<Child> | undefined): Promise<Child> => {
    const child = await before?.catch(() => undefined);
    return child && child.ending === undefined ? child : launch();
  };

  return {
    port,
    start: async () => {
      running = relaunchIfEnded(running);
      await running;
    },
    end: async () => {
      await (await running?.catch(() => undefined))?.end('SIGTERM');
    },
  };
};

const readyMs = 120_000;

interface NodeOptions {
  /** The folder of rabbitmq-server and its other commands. */
  readonly scripts: string;
  readonly dir: string;
  readonly port: number;
  /** Of all its users. */
  readonly password: string;
  readonly mapper: PortMapper;
  /** Unique among the nodes of its port mapper. */
  readonly name: string;
  /** The folder of the Erlang cookie, which nodes of a cluster share. */
  readonly home: string;
  /** More lines of rabbitmq.conf. */
  readonly settings?: string;
}

interface PrivateNode extends Pick<RabbitmqRuntime, 'launch' | 'ctl'> {
  /** Runs `rabbitmq-queues` and returns its standard output. */
  readonly queues: RabbitmqRuntime['ctl'];
}

/**
 * Who knows the cookie can run anything as the node's user, and the port mapper's port is open to this machine. The one that
 * Erlang would make can be guessed from when it was made.
 */
const makeCookie = (home: string) => {
  const file = join(home, '.erlang.cookie');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o400 });
};

/** A node of the installed RabbitMQ, as any user. */
export const privateNode = async (options: NodeOptions): Promise<PrivateNode> => {
  const { scripts, dir, port, password, mapper, name, home, settings = '' } = options;
  const ports = { amqp: port, distribution: await freePort(), epmd: mapper.port };
  const env = nodeEnvironment({ dir, home, name, ports });
  const pidFile = join(dir, 'node.pid');
  const mark = `-leadback ${dir}`;
  const definitions = join(dir, 'definitions.json');
  const configuration = `${nodeLimits}log.console.level = warning\nload_definitions = ${definitions}\n${settings}`;
  const command =
    (script: string) =>
    (...args: string[]) =>
      runCommand([join(scripts, script), '--quiet', ...args], { env, cwd: dir });

  return {
    launch: async () => {
      await endLeftOver(pidFile, 'SIGTERM');
      await mapper.start();
      makeCookie(home);
      writePrivately(env.RABBITMQ_CONFIG_FILE, configuration);
      writePrivately(definitions, JSON.stringify(brokerDefinitions(password)));
      const plugins = serverAlone(scripts, dir);
      const node = await startChild({
        name: 'RabbitMQ',
        command: [join(scripts, 'rabbitmq-server'), '-leadback', dir], // Erlang ignores unknown flags but keeps them in the command line
        env: { ...env, ...(plugins !== undefined && { RABBITMQ_PLUGINS_DIR: plugins }) },
        cwd: dir,
        logFile: join(dir, 'rabbitmq.log'),
      });
      writePrivately(pidFile, `${node.pid}\n${mark}`);
      await whenReady(node, () => isListening(port), readyMs);
      return node;
    },
    ctl: command('rabbitmqctl'),
    queues: command('rabbitmq-queues'),
  };
};

/** The URL of a local broker for a user. All users of a local broker have the same password. */
export const asBrokerUser = (url: string, user: string): string => {
  const own = new URL(url);
  own.username = user;
  return own.href;
};

export const administratorUrl = (port: number, password: string, virtualHost: string): string =>
  `amqp://${administrator}:${password}@127.0.0.1:${port}/${encodeURIComponent(virtualHost)}`;
