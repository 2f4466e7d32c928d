import { eventually } from '@leadback/testing';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { expireLostClaims, flowsAgain } from '../../support/deliveries.ts';
import { givenStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import {
  givenCluster,
  type PatroniCluster,
  waitOptions,
  conversionsIn,
  failoversIn,
  notStored,
} from '../../support/patroni.ts';
import { say, since } from '../../support/long-run.ts';

const testMs = 1_200_000;

/** Kills the leader and waits until its standby leads and the api accepts conversions again. */
const failOver = async ({ leader, standby, becomes }: PatroniCluster, ledger: Ledger): Promise<void> => {
  const start = performance.now();
  leader.kill();
  await becomes(standby, 'leader');
  say(`promoted after ${since(start)}`);
  await eventually(async () => {
    const [entry] = await ledger.register(1);
    expect(entry?.statuses).toEqual([201]);
  }, waitOptions);
  say(`201 again after ${since(start)}`);
};

/** Starts the former leader, which follows the new one. */
const rejoin = async ({ leader, standby, becomes }: PatroniCluster): Promise<void> => {
  const start = performance.now();
  await leader.replication.heal();
  await leader.start();
  await becomes(leader, 'standby');
  await eventually(async () => expect((await standby.status()).replication).toHaveLength(1), waitOptions);
  expect((await leader.status()).timeline).toBe((await standby.status()).timeline);
  const how = leader.log().includes('running pg_rewind') ? 'rewound' : 'not rewound';
  say(`the former leader follows after ${since(start)}, ${how}`);
};

it(
  'loses nothing if the leader of PostgreSQL is lost and its synchronous standby is promoted',
  async () => {
    await using cluster = await givenCluster(true);
    await using stack = await givenStack(undefined, cluster.database);
    const ledger = await givenLedger(stack);
    await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const load = ledger.load(50);
    await load.more(300);

    await failOver(cluster, ledger);
    await load.more(300);
    await load.stop();
    expect(ledger.entries.filter(({ statuses: [status] }) => status !== 201 && status !== 503)).toEqual([]);
    const duplicatesMax = await expireLostClaims(stack.database);
    expect(await violationsAfter(stack, ledger, { duplicatesMax })).toEqual([]);
    await eventually(async () => {
      expect(await failoversIn(stack.database)).toMatchObject([
        { state: 'ok', finding: expect.stringContaining('none is missing') },
      ]);
    }, waitOptions);
    await rejoin(cluster);
  },
  testMs,
);

/** How many deliveries are open on a node; a standby can be read. */
const openOn = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from delivery where state = 'pending'`,
    );
    return rows[0]?.open ?? 0;
  } finally {
    await client.end();
  }
};

it(
  'gives no id again after an asynchronous standby was promoted, and doctor lists what was lost',
  async () => {
    await using cluster = await givenCluster(false);
    await using stack = await givenStack(undefined, cluster.database);
    const ledger = await givenLedger(stack);
    await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
    await flowsAgain(stack.database, ledger);
    const load = ledger.load(50);
    await load.more(300);

    // the network between the nodes fails first: from now on, the standby receives nothing
    cluster.leader.replication.blackHole();
    await load.more(300);
    const open = await openOn(cluster.standby.url);
    await failOver(cluster, ledger);
    await load.more(300);
    await load.stop();

    const missing = await notStored(stack.database, ledger.entries);
    const lost = missing.filter(({ ids }) => ids.length > 0);
    const lostIds = lost.flatMap(({ ids }) => ids);
    const accepted = ledger.entries.filter(({ ids }) => ids.length > 0);
    say(`lost ${lost.length} of ${accepted.length} accepted conversions`);
    expect(lost.length).toBeGreaterThan(100);
    const ids = accepted.flatMap((entry) => entry.ids);
    expect(new Set(ids).size).toBe(ids.length);

    const duplicatesMax = open + (await expireLostClaims(stack.database));
    const references = new Set(missing.map(({ reference }) => reference));
    expect(await violationsAfter(stack, ledger, { duplicatesMax, lost: references })).toEqual([]);

    await eventually(async () => {
      const findings = await failoversIn(stack.database);
      expect(findings.filter(({ state }) => state !== 'error')).toEqual([]);
      const listed = findings.flatMap(({ finding }) => conversionsIn(finding));
      expect(listed.toSorted((a, b) => a - b)).toEqual(lostIds.toSorted((a, b) => a - b));
    }, waitOptions);

    // sent again, with the same references and idempotency keys, none is taken for a repetition
    for (const { partner, reference, isKeyed, conversion } of lost) {
      const key = isKeyed ? { idempotencyKey: reference } : {};
      expect((await partner.post('/client/conversion', conversion, key)).status).toBe(201);
    }
    await eventually(async () => expect(await openOn(cluster.standby.url)).toBe(0), waitOptions);
    expect(await notStored(stack.database, lost)).toEqual([]);
    await rejoin(cluster);
  },
  testMs,
);
