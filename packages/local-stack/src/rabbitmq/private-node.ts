import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isListening } from '../network.ts';
import { endLeftOver } from '../processes/process-table.ts';
import { inheritedEnvironment, runCommand } from '../processes/run-command.ts';
import { type Child, startChild, whenReady } from '../processes/start-child.ts';
import { brokerDefinitions } from './definitions.ts';
import { nodeEnvironment, nodeLimits } from './node-environment.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';
import { serverAlone } from './server-alone.ts';

const epmdReadyMs = 10_000;

/** Starts the port mapper of one node. Otherwise the node would start a shared daemon, which keeps running. */
const startEpmd = async (dir: string, port: number): Promise<Child> => {
  const pidFile = join(dir, 'epmd.pid');
  await endLeftOver(pidFile, 'SIGTERM');
  const command = ['epmd', '-port', String(port), '-address', '127.0.0.1'] as const;
  const child = await startChild({
    name: 'epmd',
    command,
    cwd: dir,
    env: inheritedEnvironment(),
    logFile: join(dir, 'epmd.log'),
  });
  writeFileSync(pidFile, `${child.pid}\n${command.join(' ')}`);
  await whenReady(child, () => isListening(port), epmdReadyMs);
  return child;
};

const readyMs = 120_000;

/** Runs a node of the installed RabbitMQ, as any user. */
export const privateNode = async (scripts: string, dir: string, port: number): Promise<RabbitmqRuntime> => {
  const ports = { amqp: port, distribution: await freePort(), epmd: await freePort() };
  const env = nodeEnvironment(dir, ports);
  const pidFile = join(dir, 'node.pid');
  const mark = `-leadback ${dir}`;
  const definitions = join(dir, 'definitions.json');
  const settings = `${nodeLimits}log.console.level = warning\nload_definitions = ${definitions}\n`;
  let epmd: Child | undefined;

  return {
    launch: async () => {
      await endLeftOver(pidFile, 'SIGTERM');
      if (!epmd || epmd.ending) epmd = await startEpmd(dir, ports.epmd);
      writeFileSync(env.RABBITMQ_CONFIG_FILE, settings);
      writeFileSync(definitions, JSON.stringify(brokerDefinitions()));
      const plugins = serverAlone(scripts, dir);
      const node = await startChild({
        name: 'RabbitMQ',
        command: [join(scripts, 'rabbitmq-server'), '-leadback', dir], // Erlang ignores unknown flags but keeps them in the command line
        env: { ...env, ...(plugins !== undefined && { RABBITMQ_PLUGINS_DIR: plugins }) },
        cwd: dir,
        logFile: join(dir, 'rabbitmq.log'),
      });
      writeFileSync(pidFile, `${node.pid}\n${mark}`);
      await whenReady(node, () => isListening(port), readyMs);
      return node;
    },
    release: async () => epmd?.end('SIGTERM'),
    ctl: (...args) => runCommand([join(scripts, 'rabbitmqctl'), '--quiet', ...args], { env, cwd: dir }),
  };
};
