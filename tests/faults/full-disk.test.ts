import { setTimeout as pause } from 'node:timers/promises';
import { eventually, givenBroker, givenLandingPage } from '@leadback/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { clicksOn } from '../support/clicks.ts';
import { violationsAfter } from '../support/facts.ts';
import { flowsAgain } from '../support/deliveries.ts';
import { givenPostgres } from '../support/given-postgres.ts';
import { onSmallDisk, type SmallDisk } from '../support/given-small-disk.ts';
import { givenStack } from '../support/given-stack.ts';
import { givenLedger, type Ledger } from '../support/ledger.ts';
import { sumIn } from '../support/metrics.ts';

const created = z.object({ id: z.number() });

/** Fills the disk and registers conversions until one is refused; returns its headers. */
const untilRefused = async (ledger: Ledger, disk: SmallDisk): Promise<Headers> =>
  eventually(async () => {
    // again each time: PostgreSQL may give some space back, as for files of its log that it needs no more
    await disk.fill();
    const [entry] = ledger.enter(1);
    if (!entry) throw new Error('nothing to register');
    const { status, headers, body } = await entry.partner.post('/client/conversion', entry.conversion);
    entry.statuses.push(status);
    if (status === 201) entry.ids.push(created.parse(body).id);
    expect(status).toBe(503);
    return headers;
  });

/** Makes PostgreSQL start another file of its write-ahead log. */
const nextLogFile = "select pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()";

it(
  'refuses with 503 and redirects every visitor while the disk of PostgreSQL is full, and loses nothing',
  onSmallDisk(160, async (disk) => {
    await using postgres = await givenPostgres(disk.folder);
    await using stack = await givenStack(undefined, postgres.database);
    const ledger = await givenLedger(stack);
    const page = await givenLandingPage(stack.database.em(), { mode: 'direct' });
    await Promise.all([stack.start('landing'), stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const load = ledger.load(50);
    const clicks = clicksOn(page, stack);
    await using coming = clicks.coming('full', 20);
    await Promise.all([load.more(50), coming.more(50)]);

    const refused = await untilRefused(ledger, disk);
    expect([refused.get('leadback-error'), refused.get('retry-after')]).toEqual(['unavailable', '5']);
    await Promise.all([load.more(50), coming.more(50)]);

    // no room for its write-ahead log either: PostgreSQL panics, restarts by itself, and gives up
    const ended = postgres.server.exited;
    await eventually(async () => {
      await disk.fill();
      await postgres.administer(nextLogFile).catch(() => {});
      expect(await Promise.race([ended, pause(0, 'running')])).toBe('status 1');
    });
    await Promise.all([load.more(50), coming.more(50)]);

    await disk.free();
    await postgres.server.start();
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    const statuses = new Set(entries.map((entry) => entry.statuses.join()));
    expect(statuses).toEqual(new Set(['201', '503']));
    expect(await violationsAfter(stack, ledger)).toEqual([]);

    await clicks.haveLeads(await coming.stop());
  }),
);

it(
  'accepts all conversions while the disk of RabbitMQ is full, and delivers each once',
  onSmallDisk(200, async (disk) => {
    await using broker = await givenBroker(disk.folder);
    await using stack = await givenStack(broker);
    const ledger = await givenLedger(stack);
    const [api] = await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const unconfirmed = async () => sumIn(await api.metrics(), 'leadback_hints_total', { outcome: 'unconfirmed' });
    const before = await unconfirmed();
    const load = ledger.load(50);
    await load.more(50);

    // less than its limit of 50 MB: its alarm blocks publishers. Without any space at all, the node would end
    await eventually(
      async () => {
        // again each time: what RabbitMQ gives back could end its alarm
        await disk.fill(30);
        expect((await unconfirmed()) - before).toBeGreaterThan(50);
      },
      { interval: 250 },
    );
    await load.more(50);

    await disk.free();
    await flowsAgain(stack.database, ledger);
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }),
);
