import { z } from 'zod';
import { administratorOf } from '../load/end-oracle.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { listQueues } from '../stack/list-queues.ts';
import { until } from '../until.ts';

const nodes = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'] as const;
/** What is killed in turn, under load. */
export const killedInCluster = [...nodes, 'pgbouncer', 'postgres'] as const;

const queuesSchema = z.array(z.object({ name: z.string(), members: z.array(z.string()).or(z.string()) }));
const peersSchema = z.array(z.object({ role: z.string(), peer: z.string() }));

/** Looks whether queues have three members, and whether apps reach PostgreSQL through PgBouncer alone. */
export const checkCluster = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('cluster');
  await check('each queue gets a member on each of the three nodes', async () => {
    const start = Date.now();
    // one that was declared before the last node arrived gets its third member some ten seconds later
    const count = await until('three members of each queue', async () => {
      const queues = queuesSchema.parse(await listQueues(stack, 'name', 'members'));
      return queues.every(({ members }) => members.length === nodes.length) && queues.length;
    });
    return `${count} queues, after ${((Date.now() - start) / 1_000).toFixed(0)} s`;
  });
  await check('the apps reach PostgreSQL through PgBouncer alone', async () => {
    const { NetworkSettings } = await stack.container('pgbouncer');
    const own = new Set(Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress));
    await using database = await administratorOf(stack);
    const { rows } = await database.pool.query(
      `select usename as role, host(client_addr) as peer from pg_stat_activity where usename like 'leadback%'`,
    );
    const peers = peersSchema.parse(rows);
    const direct = peers.filter(({ peer }) => !own.has(peer));
    if (peers.length === 0 || direct.length > 0) throw new Error(JSON.stringify(direct));
    return `${peers.length} connections`;
  });
};
