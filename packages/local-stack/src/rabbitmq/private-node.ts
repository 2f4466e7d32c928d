import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isListening } from '../network.ts';
import { writePrivately } from '../private-files.ts';
import { endLeftOver } from '../processes/process-table.ts';
import { runCommand } from '../processes/run-command.ts';
import { startChild, whenReady } from '../processes/start-child.ts';
import { brokerDefinitions } from './definitions.ts';
import { nodeEnvironment, nodeLimits } from './node-environment.ts';
import type { PortMapper } from './port-mapper.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';
import { serverAlone } from './server-alone.ts';

const readyMs = 120_000;

export interface NodeOptions {
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

export interface PrivateNode extends Pick<RabbitmqRuntime, 'launch' | 'ctl'> {
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
