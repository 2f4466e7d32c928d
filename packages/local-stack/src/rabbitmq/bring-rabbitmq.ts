import { dirname } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import type { Log } from '../restartable-server.ts';
import { findExecutable, pathFolders } from '../system/find-executable.ts';
import { findOrInstall } from '../system/find-or-install.ts';
import { dockerContainer } from './docker-container.ts';
import { privateNode } from './private-node.ts';
import type { RabbitmqRuntime } from './rabbitmq-runtime.ts';

// the commands on the PATH of Debian and Red Hat switch to another user; these are the scripts behind them
const behindWrappers = '/usr/lib/rabbitmq/bin';
const homebrew = ['/opt/homebrew/sbin', '/usr/local/sbin']; // often not on PATH

/** The folder of rabbitmq-server and rabbitmqctl; undefined if they are not installed. */
const findRabbitmqScripts = (): string | undefined => {
  const server = findExecutable(['rabbitmq-server'], [behindWrappers, ...pathFolders(), ...homebrew]);
  return server && dirname(server);
};

/** Whether a Docker engine can be used. */
const dockerAnswers = (): Promise<boolean> =>
  // the format makes it fail if there is only the client
  runCommand(['docker', 'info', '--format', '{{.ServerVersion}}']).then(
    (version) => version.trim() !== '',
    () => false,
  );

const advice =
  'Leadback needs RabbitMQ: install it (Debian: apt-get install rabbitmq-server, macOS: brew install rabbitmq), ' +
  'start Docker, or set AMQP_URL to the URL of a running one';

/** Makes sure that RabbitMQ can be started: from this machine, in Docker, or from a package that it installs now. */
export const ensureRabbitmq = async (log: Log = () => {}): Promise<void> => {
  if (findRabbitmqScripts() || (await dockerAnswers())) return;
  const announcement = 'Installing RabbitMQ with apt-get (35 MB) …';
  await findOrInstall({ find: findRabbitmqScripts, packageNames: ['rabbitmq-server'], announcement, advice, log });
};

/** Prefers an installed RabbitMQ to Docker. */
export const bringRabbitmq = async (dir: string, port: number, log: Log): Promise<RabbitmqRuntime> => {
  await ensureRabbitmq(log);
  const scripts = findRabbitmqScripts();
  return scripts ? privateNode(scripts, dir, port) : dockerContainer(dir, port, log);
};
