import { eventually } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Containers, givenContainers } from '../../support/containers.ts';

const testMs = 1_800_000;
const nodes = ['rabbitmq', 'rabbitmq-2', 'rabbitmq-3'];

describe('docker-compose.yml with three nodes of RabbitMQ and PgBouncer', () => {
  let stack: Containers;
  beforeAll(async () => {
    stack = await givenContainers('cluster');
  }, testMs);
  afterAll(() => stack[Symbol.asyncDispose](), testMs);

  it('gives each queue a member on each node', async () => {
    // one that was declared before the last node arrived gets its third member some ten seconds later
    await eventually(async () => {
      const queues = await stack.queues();
      expect(queues.length).toBeGreaterThan(0);
      expect(queues.filter(({ members }) => members?.length !== nodes.length)).toEqual([]);
    });
  });

  it('lets the apps reach PostgreSQL through PgBouncer alone', async () => {
    const { NetworkSettings } = await stack.container('pgbouncer');
    const own = new Set(Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress));
    const { rows } = await stack.database.pool.query(
      `select host(client_addr) as peer from pg_stat_activity where usename like 'leadback%'`,
    );
    const peers = z.array(z.object({ peer: z.string() })).parse(rows);
    expect(peers.length).toBeGreaterThan(0);
    expect(peers.filter(({ peer }) => !own.has(peer))).toEqual([]);
  });

  it(
    'loses and doubles nothing when each node, PgBouncer and PostgreSQL are killed under load',
    async () => {
      expect(await stack.violationsAfterKills([...nodes, 'pgbouncer', 'postgres'])).toEqual([]);
    },
    testMs,
  );
});
