import { dirname } from 'node:path';
import { runCommand } from '../processes/processes.ts';
import type { Log } from '../restartable-server.ts';
import { findExecutable, pathFolders, findOrInstall } from '../system/find-program.ts';
import { dockerContainer } from './docker-container.ts';
import { portMapper, privateNode } from './node.ts';
import type { BrokerPlace, RabbitmqRuntime } from './rabbitmq-runtime.ts';

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

const installedRuntime = async (scripts: string, { dir, port, password }: BrokerPlace): Promise<RabbitmqRuntime> => {
  const mapper = await portMapper(dir);
  // all can have the same name, because each has its own port mapper
  const { launch, ctl } = await privateNode({ scripts, dir, port, password, mapper, name: 'leadback', home: dir });
  return { launch, ctl, release: mapper.end };
};

/** Prefers an installed RabbitMQ to Docker. */
export const bringRabbitmq = async (place: BrokerPlace): Promise<RabbitmqRuntime> => {
  await ensureRabbitmq(place.log);
  const scripts = findRabbitmqScripts();
  return scripts ? installedRuntime(scripts, place) : dockerContainer(place);
};

/** The folder of the commands of an installed RabbitMQ. Throws if there is none, even if there is Docker. */
export const installedRabbitmq = async (log: Log = () => {}): Promise<string> => {
  await ensureRabbitmq(log);
  const scripts = findRabbitmqScripts();
  if (!scripts) throw new Error('several nodes need an installed RabbitMQ (Debian: apt-get install rabbitmq-server)');
  return scripts;
};
