import { resolve } from 'node:path';
import { freePort } from '../network.ts';
import { storedPassword } from '../private-files.ts';
import { claimFolder, releaseFolder } from '../processes/processes.ts';
import { type Log, restartableServer } from '../restartable-server.ts';
import { bringRabbitmq } from './bring-rabbitmq.ts';
import { administratorUrl, hostDefinitions, ownVirtualHost } from './node.ts';
import type { LocalBroker } from './rabbitmq-runtime.ts';

interface RabbitmqOptions {
  /** Folder of data, settings and log; another start reuses them. */
  readonly dir: string;
  readonly port?: number;
  readonly log?: Log;
}

/** Starts a RabbitMQ that only this machine reaches, and only with the password, which is in the folder; installs one if there is none. */
export const startRabbitmq = async (options: RabbitmqOptions): Promise<LocalBroker> => {
  const { log = () => {} } = options;
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  claimFolder(dir);
  const password = storedPassword(dir);
  const urlOf = (virtualHost: string) => administratorUrl(port, password, virtualHost);
  const runtime = await bringRabbitmq({ dir, port, password, log });

  const server = await restartableServer({
    url: urlOf(ownVirtualHost),
    launch: () => {
      log('Starting RabbitMQ …');
      claimFolder(dir);
      return runtime.launch();
    },
    stopSignal: 'SIGTERM',
    release: async () => {
      await runtime.release();
      releaseFolder(dir);
    },
  });

  const addVirtualHosts = async (names: readonly string[]): Promise<readonly string[]> => {
    // one command, because each costs half a second of a core
    const definitions = Buffer.from(JSON.stringify(hostDefinitions(names))).toString('base64');
    const output = await runtime.ctl('eval', `rabbit_definitions:import_raw(base64:decode("${definitions}")).`);
    if (output.trim() !== 'ok') throw new Error(`cannot add ${names.join(', ')} to RabbitMQ: ${output}`);
    return names.map(urlOf);
  };

  return Object.assign(server, {
    ctl: runtime.ctl,
    addVirtualHosts,
    addVirtualHost: async (name: string) => {
      await addVirtualHosts([name]);
      return urlOf(name);
    },
  });
};
