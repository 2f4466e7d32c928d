import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '../private-files.ts';
import { atExit, runCommand, startChild, whenReady } from '../processes/processes.ts';
import type { Log } from '../restartable-server.ts';
import { brokerDefinitions, nodeLimits } from './node.ts';
import type { BrokerPlace, RabbitmqRuntime } from './rabbitmq-runtime.ts';

const image = 'rabbitmq:4-alpine';
const definitionsInside = '/etc/rabbitmq/definitions.json';
const readyMs = 120_000;

const docker = (...args: string[]) => runCommand(['docker', ...args]);

const succeeds = (command: Promise<string>) =>
  command.then(
    () => true,
    () => false,
  );

const bringImage = async (log: Log) => {
  if (await succeeds(docker('image', 'inspect', image))) return;
  log(`Fetching ${image} with Docker …`);
  await docker('pull', image);
};

/** RabbitMQ in a container; its data stay in `dir`, as with a private node. */
export const dockerContainer = async ({ dir, port, password, log }: BrokerPlace): Promise<RabbitmqRuntime> => {
  const name = `leadback-rabbitmq-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
  const ctl = (...args: string[]) => docker('exec', name, 'rabbitmqctl', '--quiet', ...args);
  // not a connection to the port: Docker accepts it before RabbitMQ is ready
  const hasStarted = () => succeeds(ctl('await_startup', '--timeout', '5'));
  const remove = ['rm', '--force', name];
  const settings = join(dir, 'settings.conf');
  const definitions = join(dir, 'definitions.json');
  const data = join(dir, 'data');
  await bringImage(log);

  return {
    launch: async () => {
      await docker(...remove);
      mkdirSync(data, { recursive: true, mode: 0o700 });
      writePrivately(settings, `${nodeLimits}load_definitions = ${definitionsInside}\n`);
      writePrivately(definitions, JSON.stringify(brokerDefinitions(password)));
      const options = [
        '--rm',
        `--name=${name}`,
        '--hostname=leadback', // the node name is part of the data
        `--user=${process.getuid?.()}:${process.getgid?.()}`, // so that its files are ours to delete
        `--publish=127.0.0.1:${port}:5672`,
        `--mount=type=bind,source=${data},target=/var/lib/rabbitmq`,
        `--mount=type=bind,source=${settings},target=/etc/rabbitmq/conf.d/20-leadback.conf,readonly`,
        `--mount=type=bind,source=${definitions},target=${definitionsInside},readonly`,
      ];
      const cancelRemoval = atExit(() => spawnSync('docker', remove));
      const client = await startChild({
        name: 'RabbitMQ',
        command: ['docker', 'run', ...options, image],
        cwd: dir,
        logFile: join(dir, 'rabbitmq.log'),
      });
      void client.exited.then(cancelRemoval);
      await whenReady(client, hasStarted, readyMs);
      return {
        pid: Number(await docker('inspect', '--format', '{{.State.Pid}}', name)),
        exited: client.exited,
        end: async (signal) => {
          await docker(signal === 'SIGKILL' ? 'kill' : 'stop', name).catch(() => {}); // already ended
          await client.exited;
        },
      };
    },
    release: async () => {
      await docker(...remove);
    },
    ctl,
  };
};
