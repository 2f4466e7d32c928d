import { setTimeout as pause } from 'node:timers/promises';
import { eventually, tcpProxy, openPatientPool } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { brokerAdmin } from '../../support/broker-admin.ts';
import { violationsAfter } from '../../support/facts.ts';
import { expireLeases, flowsAgain } from '../../support/deliveries.ts';
import { firstOf } from '../../support/long-run.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';

// a consumer that only failed to handle a hint is back by then: its pause, and PostgreSQL's silence
const reconnectMaxMs = 16_000;

describe('a worker without PostgreSQL', () => {
  it.each(firstOf(1, ['cut', 'blackHole'] as const))(
    'leaves hints to others while only it loses PostgreSQL, and loses and repeats nothing (%s)',
    async (lose) => {
      await using stack = await givenStack();
      await using toDatabase = await tcpProxy(stack.database.url);
      const ledger = await givenLedger(stack);
      const admin = brokerAdmin(stack.broker);
      const connectedCount = () => stack.timesLogged('feedback-worker', 'consuming from RabbitMQ"');
      await stack.start('api');
      const worker = await stack.start('feedback-worker', { databaseUrl: toDatabase.url });
      await admin.hasConsumers();
      const load = ledger.load(20);
      await load.more(20);
      toDatabase[lose]();
      await eventually(async () => {
        const before = await connectedCount();
        await pause(reconnectMaxMs);
        expect([await connectedCount(), (await admin.look()).consumerCount]).toEqual([before, 0]);
      });
      await eventually(async () => expect(await admin.waiting()).toBeGreaterThan(0), { interval: 250 });

      await toDatabase.heal();
      await admin.hasConsumers();
      await flowsAgain(stack.database, ledger);
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      // what it claimed without learning of it is claimed again when the lease ends; all else it has settled by now
      await worker.stop();
      await expireLeases(stack.database);
      await stack.start('feedback-worker');
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
  );

  it('leaves hints to others while its PostgreSQL is read-only, and goes on when it is not any more', async () => {
    await using stack = await givenStack();
    await using toDatabase = await tcpProxy(stack.database.url);
    await using owner = await openPatientPool({ url: stack.database.ownerUrl, applicationName: 'test' });
    const ledger = await givenLedger(stack);
    const admin = brokerAdmin(stack.broker);
    const api = await stack.start('api');
    await stack.start('feedback-worker', { databaseUrl: toDatabase.url });
    await flowsAgain(stack.database, ledger);
    await api.stop();
    // as after a failover: its sessions end, and the new ones cannot write
    const failOver = async (change: string) => {
      const { rows } = await owner.pool.query<{ name: string }>('select quote_ident(current_database()) as name');
      await owner.pool.query(`alter database ${rows[0]?.name} ${change}`);
      toDatabase.reset();
    };

    await failOver('set default_transaction_read_only = on');
    await eventually(async () => expect((await admin.look()).consumerCount).toBe(0), { interval: 250 });
    await admin.publish(Buffer.from('{"v":2,"parcels":[[999999999,999999,1]]}'));
    const logged = () =>
      Promise.all(
        ['consuming from RabbitMQ"', 'not consuming', 'PostgreSQL is read-only'].map((words) =>
          stack.timesLogged('feedback-worker', words),
        ),
      );
    const [up, down, before = 0] = await logged();
    const sweeps = async () => (await logged())[2];
    await eventually(async () => expect(await sweeps()).toBeGreaterThan(before + 5));
    expect([await admin.waiting(), ...(await logged())]).toMatchObject([1, up, down, expect.any(Number)]);

    await failOver('reset default_transaction_read_only');
    await admin.hasConsumers();
    await stack.start('api');
    await flowsAgain(stack.database, ledger);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });
});
