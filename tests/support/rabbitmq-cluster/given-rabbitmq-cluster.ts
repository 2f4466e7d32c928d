import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterNode, startRabbitmqCluster } from '@leadback/testing/stack';
import { eventually } from '@leadback/testing';
import { expect, inject } from 'vitest';
import { z } from 'zod';
import { balancedUrl } from '../balanced-url.ts';

const queuesSchema = z.array(z.object({ name: z.string(), leader: z.string(), online: z.array(z.string()) }));
type Queue = z.infer<typeof queuesSchema>[number];

/** Far longer than a node takes to start on a busy machine. */
const nodeStart = { timeout: 180_000, interval: 500 };

export interface RabbitmqNodes extends AsyncDisposable {
  /** Connects to a running node. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  /** Gives each queue a member on each node, as docs/scaling.md says. */
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
