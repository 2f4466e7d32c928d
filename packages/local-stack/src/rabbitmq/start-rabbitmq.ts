import { resolve } from 'node:path';
import type { Log } from '../log.ts';
import { freePort } from '../network/free-port.ts';
import { claimFolder, releaseFolder } from '../processes/folder-claim.ts';
import { restartableServer } from '../restartable-server.ts';
import { bringRabbitmq } from './bring-rabbitmq.ts';
import type { LocalBroker } from './local-broker.ts';

interface RabbitmqOptions {
  /** Where data, settings and log are kept: another start finds them there again. */
  readonly dir: string;
  readonly port?: number;
  readonly log?: Log;
}

/** Starts a RabbitMQ that listens on this machine alone; brings one where there is none. */
export const startRabbitmq = async (options: RabbitmqOptions): Promise<LocalBroker> => {
  const { log = () => {} } = options;
  const dir = resolve(options.dir);
  const port = options.port ?? (await freePort());
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  const runtime = await bringRabbitmq(dir, port, log);

  const server = await restartableServer({
    url,
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

  return Object.assign(server, {
    ctl: runtime.ctl,
    addVirtualHost: async (name: string) => {
      await runtime.ctl('add_vhost', name);
      await runtime.ctl('set_permissions', '--vhost', name, 'guest', '.*', '.*', '.*');
      return `${url}/${encodeURIComponent(name)}`;
    },
  });
};
