import { Feedback, type PlatformConnection } from '@leadback/db';
import { parcelClaimer, parcelSettler, requeueFeedback } from '@leadback/delivery';
import { givenContacts, givenClient, givenConnection, givenDatabase, type TestDatabase } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimDue, comesDue, givenParcel, parcelOf } from '../support/parcels.ts';
import * as earlier from './earlier-version/statements.ts';

const attempt = { outcome: 'delivered', reason: null, httpStatus: 200, answer: null, durationMs: 1 } as const;
const delivered = { state: 'delivered', reason: null, retryInMs: null, isCounted: true, attempt } as const;

describe('apps of the version before parcels, beside those of this version', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const run = async (statement: string, ...values: unknown[]): Promise<number[]> => {
    const { rows } = await database.pool.query<{ id?: string; feedback_id?: string }>(statement, values);
    return rows.map((row) => Number(row.id ?? row.feedback_id));
  };
  const settleEarlier = (feedbackId: number, state: string, retryInMs: number | null = null) =>
    run(earlier.settle, JSON.stringify([{ feedbackId, state, reason: null, retryInMs, attempt }]));
  /** A delivery that an API of the version before has registered. */
  const registered = async (connection: PlatformConnection): Promise<number> => {
    const client = await givenClient(database.em(), { account: await connection.account.loadOrFail() });
    const [id = 0] = await run(earlier.register, client.id, connection.id);
    return id;
  };
  /** Claims the parcel of a delivery in this version, as soon as it is due. */
  const claimed = async (feedbackId: number) => {
    const { id } = await parcelOf(database, feedbackId);
    await comesDue(database.pool, id);
    const parcel = await parcelClaimer(database.pool, givenContacts())(id);
    if (parcel === null) throw new Error('the parcel was not claimed');
    return parcel;
  };
  const stored = (id: number) => database.em().findOneOrFail(Feedback, id);
  /** Pending deliveries that are not in the parcel that they name: nobody would send them. */
  const lost = () =>
    run(`select f.id from feedback f left join feedback_due d on d.id = f.parcel_id
         where f.state = 'pending' and (f.id = any(d.feedback_ids)) is not true`);

  it('puts each delivery that they register into a parcel, which is due when the old lease is over', async () => {
    const id = await registered(await givenConnection(database.em()));
    const parcel = await parcelOf(database, id);
    expect(parcel.feedbackIds).toEqual([id]);
    expect(parcel.notBefore.getTime() - Date.now()).toBeGreaterThan(30_000);
    expect((await claimed(id)).deliveries).toMatchObject([{ feedbackId: id, event: { amount: '10.00' } }]);
    expect(await lost()).toEqual([]);
  });

  it('finds what they have closed closed', async () => {
    const connection = await givenConnection(database.em());
    const { id, feedbackIds } = await givenParcel(database, { connection, size: 3 });
    const [closed = 0, ...open] = feedbackIds;
    await run(earlier.claim, [closed]);
    await settleEarlier(closed, 'delivered');
    const parcel = await parcelClaimer(database.pool, givenContacts())(id);
    expect(parcel?.deliveries.map(({ feedbackId }) => feedbackId)).toEqual(open);
    if (parcel) await parcelSettler(database.pool)({ parcel, deliveries: [{ ...delivered, feedbackIds: open }] });
    expect((await stored(closed)).attempts).toBe(1);
    expect(await lost()).toEqual([]);
  });

  it('keeps what they retry in its parcel', async () => {
    const id = await registered(await givenConnection(database.em()));
    await run(earlier.claim, [id]);
    await settleEarlier(id, 'pending', 60_000);
    expect(await lost()).toEqual([]);
    expect((await claimed(id)).deliveries).toMatchObject([{ feedbackId: id, attempts: 1 }]);
  });

  it('sends what they requeue, even if its old parcel is gone', async () => {
    const connection = await givenConnection(database.em());
    const { id, feedbackIds } = await givenParcel(database, { connection });
    const [feedbackId = 0] = feedbackIds;
    await settleEarlier(feedbackId, 'failed');
    const parcel = await parcelClaimer(database.pool, givenContacts())(id);
    if (parcel) await parcelSettler(database.pool)({ parcel, deliveries: [] });
    expect(await run(earlier.requeue, [feedbackId])).toEqual([feedbackId]);
    expect(await lost()).toEqual([]);
    expect(await claimDue(database.pool, connection.id)).toEqual([feedbackId]);
  });

  it('sends once what they requeue while its old parcel is still there', async () => {
    const connection = await givenConnection(database.em());
    const { feedbackIds } = await givenParcel(database, { connection });
    await settleEarlier(feedbackIds[0] ?? 0, 'skipped');
    await run(earlier.requeue, feedbackIds);
    expect(await lost()).toEqual([]);
    expect(await claimDue(database.pool, connection.id)).toEqual(feedbackIds);
  });

  it('holds and resumes what they park', async () => {
    const connection = await givenConnection(database.em());
    const id = await registered(connection);
    const setState = (state: string) =>
      database.pool.query('update platform_connection set state = $2 where id = $1', [connection.id, state]);
    await setState('paused');
    expect(await run(earlier.park, connection.id)).toEqual([id]);
    await comesDue(database.pool, (await parcelOf(database, id)).id);
    expect(await claimDue(database.pool, connection.id)).toEqual([]);
    await setState('active');
    await run(earlier.resume, connection.id);
    expect(await lost()).toEqual([]);
    expect(await claimDue(database.pool, connection.id)).toEqual([id]);
  });

  it('gives them nothing of what this version registers or requeues', async () => {
    const connection = await givenConnection(database.em());
    const { feedbackIds } = await givenParcel(database, { connection, size: 2 });
    const failed = await registered(connection);
    await settleEarlier(failed, 'failed');
    await requeueFeedback(database.em(), [failed]);
    const taken = await run(earlier.takeDue);
    expect(taken).not.toEqual(expect.arrayContaining([...feedbackIds]));
    expect(await claimDue(database.pool, connection.id)).toEqual([...feedbackIds, failed]);
  });

  it('keeps what they deliver after this version has claimed it', async () => {
    const id = await registered(await givenConnection(database.em()));
    const parcel = await claimed(id);
    await run(earlier.claim, [id]);
    await settleEarlier(id, 'delivered');
    const failed = { ...delivered, state: 'failed', reason: 'x', feedbackIds: [id] } as const;
    await parcelSettler(database.pool)({ parcel, deliveries: [failed] });
    expect((await stored(id)).state).toBe('delivered');
    expect(await lost()).toEqual([]);
  });
});
