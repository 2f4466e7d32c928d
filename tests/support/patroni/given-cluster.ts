import { migrate } from '@leadback/db';
import { makeRoles } from '@leadback/testing/stack';
import { eventually, openTestDatabase, type TestDatabase } from '@leadback/testing';
import { expect } from 'vitest';
import { findPatroni } from './find-patroni.ts';
import { givenNode, type PatroniNode } from './given-node.ts';
import { startEtcd } from './start-etcd.ts';
import { startHaproxy } from './start-haproxy.ts';

export interface PatroniCluster extends AsyncDisposable {
  /** Migrated; its URL leads to whichever node leads. */
  readonly database: TestDatabase;
  readonly leader: PatroniNode;
  readonly standby: PatroniNode;
  /** Waits until this node has this role. */
  readonly becomes: (node: PatroniNode, role: 'leader' | 'standby') => Promise<void>;
}

/** Far longer than a failover takes on a busy machine. */
export const waitOptions = { timeout: 300_000, interval: 100 };

// Patroni 4 renames master
const rolesOf = { leader: /^(master|primary)$/, standby: /^replica$/ };

/** etcd, two nodes of Patroni, of which the second is a standby that streams, and HAProxy before them. */
export const givenCluster = async (isSynchronous: boolean): Promise<PatroniCluster> => {
  const programs = await findPatroni();
  const ours = new AsyncDisposableStack();
  try {
    const etcd = await startEtcd(programs.etcd);
    ours.defer(() => etcd.child.end('SIGKILL'));
    const given = async (name: string) => {
      const node = await givenNode({ name, programs, etcd: etcd.address, isSynchronous });
      ours.defer(() => node.stop());
      return node;
    };
    const [leader, standby] = [await given('one'), await given('two')];
    const haproxy = await startHaproxy(programs.haproxy, [leader, standby]);
    ours.defer(() => haproxy.child.end('SIGTERM'));
    const becomes: PatroniCluster['becomes'] = (node, role) =>
      eventually(async () => {
        const { role: found, state } = await node.status();
        expect([found, state]).toEqual([
          expect.stringMatching(rolesOf[role]),
          expect.stringMatching(/^(running|streaming)$/),
        ]);
      }, waitOptions);

    await leader.start();
    await becomes(leader, 'leader');
    await standby.start();
    await becomes(standby, 'standby');
    await eventually(() => makeRoles(haproxy.url), waitOptions);
    const database = await openTestDatabase(haproxy.url);
    await migrate(database.ownerUrl);
    // its connections end with the leader
    database.pool.on('error', () => {});
    const expected = isSynchronous ? 'sync' : 'async';
    await eventually(async () => {
      const { replication } = await leader.status();
      expect(replication?.map(({ sync_state: state }) => state)).toEqual([expected]);
    }, waitOptions);
    return { database, leader, standby, becomes, [Symbol.asyncDispose]: () => ours.disposeAsync() };
  } catch (error) {
    await ours.disposeAsync();
    throw error;
  }
};
