import { tcpProxy } from '@leadback/test-fixtures';
import { describe, expect, it, vi } from 'vitest';
import { brokerAdmin } from '../support/broker-admin.ts';
import { violationsAfter } from '../support/facts.ts';
import { expireLeases, flowsAgain } from '../support/feedback.ts';
import { givenStack } from '../support/given-stack.ts';
import { givenLedger } from '../support/ledger.ts';

const waitOptions = { timeout: 30_000, interval: 50 };

describe('a worker without PostgreSQL', () => {
  it.each(['cut', 'blackHole'] as const)(
    'leaves hints to others while only it loses PostgreSQL, and loses and repeats nothing (%s)',
    async (lose) => {
      await using stack = await givenStack();
      await using toDatabase = await tcpProxy(stack.database.url);
      const ledger = await givenLedger(stack);
      const admin = brokerAdmin(stack.broker);
      await stack.start('api');
      const worker = await stack.start('feedback-worker', { databaseUrl: toDatabase.url });
      await admin.hasConsumers();
      const load = ledger.load(50);
      await load.more(50);
      toDatabase[lose]();
      // twice, because a consumer that could not handle a hint has no connection for a moment
      await vi.waitFor(async () => {
        expect((await admin.look()).consumerCount).toBe(0);
        await load.more(25);
        expect((await admin.look()).consumerCount).toBe(0);
      }, waitOptions);
      await vi.waitFor(async () => expect(await admin.waiting()).toBeGreaterThan(0), waitOptions);

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
    120_000,
  );
});
