import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@leadback/testing';
import { type ClusterNode, startRabbitmqCluster } from '@leadback/testing/stack';
import { expect, inject } from 'vitest';
import { z } from 'zod';

interface Balanced extends AsyncDisposable {
  /** The first target with the address of the balancer. */
  readonly url: string;
}

/**
 * One address for several servers, like a TCP load balancer: each connection leads to the next one that accepts it. Default: a
 * free port.
 */
const balancedUrl = async (targets: readonly string[], ownPort = 0): Promise<Balanced> => {
  const [url, ...others] = targets.map((target) => new URL(target));
  if (!url) throw new Error('a balancer needs a target');
  const ports = [url, ...others].map(({ port }) => Number(port));
  const open = new Set<Socket>();
  let next = 0;

  const connectToAny = async (): Promise<Socket | undefined> => {
    const first = next;
    next += 1;
    for (let tried = 0; tried < ports.length; tried += 1) {
      const upstream = connect(ports[(first + tried) % ports.length] ?? 0, '127.0.0.1');
      const connected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (connected) return upstream;
    }
    return undefined;
  };

  const forward = async (client: Socket) => {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    const upstream = await connectToAny();
    if (!upstream || client.destroyed) {
      client.resetAndDestroy();
      upstream?.destroy();
      return;
    }
    open.add(upstream);
    upstream.on('error', () => {});
    upstream.once('close', () => open.delete(upstream));
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      from.pipe(to);
      from.once('close', () => to.destroy());
    }
  };
  // nothing is read until it can be passed on
  const server = createServer({ pauseOnConnect: true }, (client) => void forward(client));
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  url.port = String(address.port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};

const queuesSchema = z.array(z.object({ name: z.string(), leader: z.string(), online: z.array(z.string()) }));
type Queue = z.infer<typeof queuesSchema>[number];

/** Far longer than a node takes to start on a busy machine. */
const nodeStart = { timeout: 180_000, interval: 500 };

export interface RabbitmqNodes extends AsyncDisposable {
  /** Connects to a running node. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** Gives each queue a member on each node, as docs/production.md says. */
  grow(): Promise<void>;
  /** The node that leads a queue. All nodes must run. */
  leaderOf(queue: string): Promise<ClusterNode>;
  /** Waits until each of these queues has all its members running. */
  areWhole(...queues: readonly string[]): Promise<void>;
}

/** Three nodes of RabbitMQ, and one address for all of them. */
export const givenRabbitmqCluster = async (): Promise<RabbitmqNodes> => {
  const ours = new AsyncDisposableStack();
  try {
    const { nodes } = ours.use(
      await startRabbitmqCluster({ dir: await mkdtemp(join(inject('temporaryFolder'), 'rabbitmq-cluster-')) }),
    );
    const { url } = ours.use(await balancedUrl(nodes.map((node) => node.url)));
    const [first] = nodes;
    if (!first) throw new Error('a cluster has nodes');
    const list = async (): Promise<readonly Queue[]> => {
      const columns = ['--vhost', 'leadback', '--formatter', 'json', 'name', 'leader', 'online'];
      return queuesSchema.parse(JSON.parse(await first.ctl('list_queues', ...columns)));
    };
    return {
      url,
      nodes,
      grow: async () => {
        for (const { name } of nodes) await first.queues('grow', name, 'all');
      },
      leaderOf: async (name) => {
        const leader = (await list()).find((queue) => queue.name === name)?.leader;
        const node = nodes.find((one) => one.name === leader);
        if (!node) throw new Error(`no node leads ${name}`);
        return node;
      },
      areWhole: (...queues) =>
        eventually(async () => {
          const whole = (await list()).filter(({ online }) => online.length === nodes.length);
          expect(whole.map(({ name }) => name)).toEqual(expect.arrayContaining([...queues]));
        }, nodeStart),
      [Symbol.asyncDispose]: () => ours.disposeAsync(),
    };
  } catch (error) {
    await ours.disposeAsync();
    throw error;
  }
};
