import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Delivery } from '@leadback/db';
import { eventually, givenConnection, givenManyDeliveries } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { allDelivered } from '../../support/deliveries.ts';
import { givenStack } from '../../support/given-stack.ts';
import { randomFrom, say } from '../../support/long-run.ts';
import { mainOf } from '../../support/main-of.ts';
import { eventId } from '../../support/sandbox.ts';

const sales = 6_000;
const kills = 20;
const pixelId = '2000000002';

describe('a backfill that is killed', () => {
  it('loses no sale and tells the platform of none twice, however often the command is killed and run again', async () => {
    await using stack = await givenStack();
    const em = stack.database.em();
    const client = { email: 'ana@x.example' };
    const told = await givenConnection(em, { settings: { pixelId: '1000000001' } });
    const account = await told.account.loadOrFail();
    await givenManyDeliveries(stack.database, { connection: told, rows: sales, state: 'delivered', client });
    const { id } = await givenConnection(em, { account, settings: { pixelId } });
    const queued = () => stack.database.em().count(Delivery, { connection: id });
    const env = { ...process.env, DATABASE_URL: stack.database.url };
    const run = (): ChildProcess =>
      spawn(process.execPath, [mainOf('apps/operator'), 'connection', 'backfill', String(id)], {
        env,
        stdio: 'ignore',
      });

    await stack.start('feedback-worker');
    const random = randomFrom(7);
    let [killed, before] = [0, 0];
    while (killed < kills && (await queued()) < sales) {
      const command = run();
      // once it is at work
      await eventually(async () => expect((await queued()) > before || command.exitCode !== null).toBe(true), {
        interval: 5,
      });
      await pause(random() * 40);
      command.kill('SIGKILL');
      if (command.exitCode === null && command.signalCode === null) await once(command, 'exit');
      killed += 1;
      before = await queued();
      expect(before % 500 === 0 || before === sales).toBe(true);
    }
    const [status]: unknown[] = await once(run(), 'exit');
    expect([status, await queued()]).toEqual([0, sales]);
    say(`killed ${killed} times`);

    await allDelivered(stack.database);
    const events = (await stack.sandbox.events()).filter(({ connection }) => connection.includes(pixelId));
    expect(events).toHaveLength(sales);
    expect(new Set(events.map(eventId)).size).toBe(sales);
    expect((await stack.database.pool.query('select from delivery_due')).rowCount).toBe(0);
  });
});
