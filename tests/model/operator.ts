import type { Account } from '@leadback/db';
import { ActionRefused } from '@leadback/core/people/access';
import { expect } from 'vitest';
import type { ModelPlatform } from './core.ts';
import { deleteConnection, endDeliveriesOfDeleted, pause, resume, retry } from './model.ts';
import { enqueue } from './partner.ts';
import { chosen, type Run, sorted } from './run.ts';
import { totalOf } from './sales-model.ts';
import { type BackfillOutcome, money, toBackfill, whatWaits } from './waiting-model.ts';

export const retryNamed = async ({ core, model }: Run, numbers: readonly number[]) => {
  const all = [...model.deliveries.values()];
  const named = [...new Set(numbers.flatMap((number) => chosen(all, number) ?? []))];
  const expected = sorted(retry(model, named).map(({ id }) => id));
  const retried = sorted(await core.retry(named.map(({ id }) => id)));
  if (retried !== expected) throw new Error(`retried deliveries ${retried}, not ${expected}`);
};

export const retryAll = async ({ core, model }: Run, number: number) => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const named = [...model.deliveries.values()].filter((one) => one.connection === connection);
  const expected = retry(model, named).length;
  const retried = await core.retryAll(connection);
  if (retried !== expected) throw new Error(`retried ${retried} deliveries, not ${expected}`);
};

/** A connection that was deleted stays as it is. */
export const switchConnection = async ({ core, model }: Run, number: number, to: 'pause' | 'resume') => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const waiting = await core[to](connection.id);
  expect(waiting === undefined).toBe(connection.isDeleted);
  if (!connection.isDeleted) (to === 'pause' ? pause : resume)(connection);
};

const connectionsMax = 6;

/** Connects an account with a platform, which is told of what is sold from now on. */
export const connect = async ({ core, model }: Run, account: Account, platform: ModelPlatform) => {
  if (model.connections.length >= connectionsMax) return;
  const connection = await core.connect(account, platform);
  model.connections.push({ ...connection, state: 'active', isResumed: false, isDeleted: false });
};

const orReason = async <Result>(result: Promise<Result>): Promise<Result | ActionRefused['because']> => {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ActionRefused) return error.because;
    throw error;
  }
};

export const deleteOne = async ({ core, model, seen }: Run, number: number, isDiscarding: boolean) => {
  const connection = chosen(model.connections, number);
  if (!connection) return;
  const expected = connection.isDeleted
    ? 'not-found'
    : (deleteConnection(model, connection, isDiscarding) ?? 'conflict');
  expect(await orReason(core.delete(connection.id, isDiscarding))).toBe(expected);
  seen.add(`delete: ${typeof expected === 'number' ? 'done' : expected}`);
};

/** A worker ends all that waits for deleted connections. */
export const endOfDeleted = async ({ core, model }: Run) => {
  while (await core.endOfDeleted());
  endDeliveriesOfDeleted(model);
};

interface Backfill {
  /** Which of the connections, the newest first. */
  readonly newest: number;
  /** Since how many days ago. */
  readonly days: number;
  readonly isDryRun: boolean;
}

/** Tells a connection of earlier sales. */
export const backfill = async (run: Run, { newest, days, isDryRun }: Backfill) => {
  const { core, model, startedAt } = run;
  const connection = chosen(model.connections.toReversed(), newest);
  if (!connection) return;
  const since = startedAt - days * 86_400_000;
  const sums = await orReason(core.backfill({ id: connection.id, from: new Date(since).toISOString(), isDryRun }));
  if (connection.isDeleted) return expect(sums).toBe('not-found');
  const outcomes = toBackfill(model, connection, { since, now: startedAt });
  const queued = [...outcomes].flatMap(([sale, outcome]) => (outcome === 'queued' ? [sale] : []));
  const count = (wanted: BackfillOutcome) => [...outcomes.values()].filter((outcome) => outcome === wanted).length;
  expect(sums).toEqual({
    conversions: outcomes.size,
    already: count('already'),
    retracted: count('retracted'),
    tooOld: count('tooOld'),
    queued: queued.length,
    amounts: Object.fromEntries(money(queued.map(totalOf)).map(({ currency, amount }) => [currency, amount])),
  });
  for (const outcome of outcomes.values()) run.seen.add(`backfill: ${outcome}`);
  if (isDryRun) return;
  for (const sale of queued) sale.isUntold = false;
  await enqueue(
    run,
    queued.flatMap((sale) =>
      [undefined, ...sale.adjustments].map((adjustment) => ({ sale, adjustment, told: [connection] })),
    ),
  );
};

/** Compares what people see of all that waits. */
export const lookAt = async ({ core, model, startedAt }: Run, account: Account) => {
  expect(await core.whatWaits(account.id)).toEqual(whatWaits(model, account.id, startedAt));
};
