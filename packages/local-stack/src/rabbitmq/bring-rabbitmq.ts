import type { Log } from '../log.ts';
import { installWithApt } from '../system/install-with-apt.ts';
import { dockerAnswers } from './docker-answers.ts';
import { dockerContainer } from './docker-container.ts';
import { findRabbitmqScripts } from './find-rabbitmq-scripts.ts';
import { privateNode } from './private-node.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';

const advice =
  'Leadback needs RabbitMQ: install it (Debian: apt-get install rabbitmq-server, macOS: brew install rabbitmq), ' +
  'start Docker, or set AMQP_URL to the URL of a running one';

/** Makes sure that RabbitMQ can be started: from this machine, in Docker, or from a package that it installs now. */
export const ensureRabbitmq = async (log: Log = () => {}): Promise<void> => {
  if (findRabbitmqScripts() || (await dockerAnswers())) return;
  const announcement = 'Installing RabbitMQ with apt-get (35 MB) …';
  await installWithApt('rabbitmq-server', { announcement, advice, log });
  if (!findRabbitmqScripts()) throw new Error(advice);
};

/** Prefers an installed RabbitMQ to Docker. */
export const bringRabbitmq = async (dir: string, port: number, log: Log): Promise<RabbitmqRuntime> => {
  await ensureRabbitmq(log);
  const scripts = findRabbitmqScripts();
  return scripts ? privateNode(scripts, dir, port) : dockerContainer(dir, port, log);
};
