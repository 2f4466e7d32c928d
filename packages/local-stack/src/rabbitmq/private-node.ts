import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../network/free-port.ts';
import { isListening } from '../network/is-listening.ts';
import type { Child } from '../processes/child.ts';
import { endLeftOver } from '../processes/end-left-over.ts';
import { runCommand } from '../processes/run-command.ts';
import { startChild } from '../processes/start-child.ts';
import { whenReady } from '../processes/when-ready.ts';
import { brokerDefinitions } from './definitions.ts';
import { nodeEnvironment } from './node-environment.ts';
import { nodeLimits } from './node-limits.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';
import { startEpmd } from './start-epmd.ts';

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
      const node = await startChild({
        name: 'RabbitMQ',
        command: [join(scripts, 'rabbitmq-server'), '-leadback', dir], // Erlang ignores unknown flags but keeps them in the command line
        env,
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
