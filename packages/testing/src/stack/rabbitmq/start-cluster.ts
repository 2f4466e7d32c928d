import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../network.ts';
import { storedPassword } from '../private-files.ts';
import { claimFolder, releaseFolder } from '../processes/processes.ts';
import { type LocalServer, type Log, restartableServer } from '../restartable-server.ts';
import { administratorUrl, ownVirtualHost, portMapper, privateNode } from './node.ts';
import { installedRabbitmq } from './bring-rabbitmq.ts';
import type { LocalBroker } from './rabbitmq-runtime.ts';

export interface ClusterNode extends LocalServer {
  /** With the host, such as `leadback-1@localhost`. */
  readonly name: string;
  readonly ctl: LocalBroker['ctl'];
  /** Runs `rabbitmq-queues` and returns its standard output. */
  readonly queues: LocalBroker['ctl'];
}

export interface RabbitmqCluster extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
}

interface ClusterOptions {
  /** An empty folder, of data, settings and logs. */
  readonly dir: string;
  readonly log?: Log;
}

const names = ['leadback-1', 'leadback-2', 'leadback-3'] as const;

// as deploy/rabbitmq/cluster.conf, without what RabbitMQ before 3.13 does not know
const settings = `cluster_formation.peer_discovery_backend = classic_config
${names.map((name, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${name}@localhost`).join('\n')}
cluster_partition_handling = pause_minority
queue_leader_locator = balanced
`;

/** Starts three nodes of the installed RabbitMQ, which form a cluster. A queue that definitions declare has one member. */
export const startRabbitmqCluster = async (options: ClusterOptions): Promise<RabbitmqCluster> => {
  const { log = () => {} } = options;
  const home = resolve(options.dir);
  const scripts = await installedRabbitmq(log);
  const ours = new AsyncDisposableStack();
  claimFolder(home);
  const password = storedPassword(home);
  ours.defer(() => releaseFolder(home));
  try {
    const mapper = await portMapper(home);
    ours.defer(mapper.end);
    const nodes: ClusterNode[] = [];
    // one after the other: the first one makes the cookie, the others join it
    for (const name of names) {
      const dir = join(home, name);
      mkdirSync(dir);
      const port = await freePort();
      const { launch, ctl, queues } = await privateNode({ scripts, dir, port, password, mapper, name, home, settings });
      log(`Starting RabbitMQ ${name} …`);
      const server = await restartableServer({
        url: administratorUrl(port, password, ownVirtualHost),
        launch,
        stopSignal: 'SIGTERM',
        release: () => {},
      });
      nodes.push(Object.assign(ours.use(server), { name: `${name}@localhost`, ctl, queues }));
    }
    return { nodes, [Symbol.asyncDispose]: () => ours.disposeAsync() };
  } catch (error) {
    await ours.disposeAsync();
    throw error;
  }
};
