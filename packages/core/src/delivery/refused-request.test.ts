import { closePlatformRequest, type RequestStatusEffect } from '@leadback/core/delivery/request-status';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { PlatformConnection } from '@leadback/db';
import { givenConnection, givenDatabase, givenPlatformRequest, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { claimDue, parcelViolations } from '../../test/parcels.ts';
import { platformRequests } from '../../test/platform-requests.ts';

const refuses: RequestStatusEffect = {
  state: 'pending',
  reason: 'TERMS_NOT_SIGNED',
  pauseMs: null,
  isOfAll: true,
  refusal: 'TERMS_NOT_SIGNED: Google has used no event',
  note: null,
  isConfirmed: false,
};

describe('a request status that rejects the connection', async () => {
  const database = await shared(givenDatabase());
  const requests = platformRequests(database);

  const given = (options: Parameters<typeof givenPlatformRequest>[1] = {}) =>
    givenPlatformRequest(database.em(), { deliveries: 2, ...options });
  const close = async (request: Awaited<ReturnType<typeof requests.taken>>) =>
    closePlatformRequest(database.pool, request, { verdict: null, effect: refuses });
  const connectionOf = (id: number) => database.em().findOneOrFail(PlatformConnection, id);
  const due = (connection: PlatformConnection) => claimDue(database.pool, connection.id);
  /** How many of the deliveries wait for an operator. */
  const held = async (ids: readonly number[]) => {
    const { rowCount } = await database.pool.query(
      `select from delivery f join platform_connection c on c.id = f.connection_id
       where f.id = any($1) and f.state = 'pending' and f.closed_at is null and c.state <> 'active'`,
      [ids],
    );
    return rowCount;
  };

  it('sets a connection to needs_attention and holds its deliveries if the request status rejects it', async () => {
    const { id, deliveries, connection } = await given();
    // whatever their age: they wait, and have not failed
    await database.pool.query(`update delivery set created_at = now() - interval '9 days' where id = any($1)`, [
      deliveries,
    ]);
    expect(await close(await requests.taken(id))).toEqual(deliveries);
    expect(await connectionOf(connection.id)).toMatchObject({
      state: 'needs_attention',
      stateReason: 'TERMS_NOT_SIGNED: Google has used no event',
    });
    const waits = { state: 'pending', reason: 'TERMS_NOT_SIGNED', closedAt: null, note: null };
    expect(await requests.deliveries(deliveries)).toMatchObject([waits, waits]);
    expect(await held(deliveries)).toBe(2);
    expect(await due(connection)).toEqual([]);

    expect(await resumeConnection(database.em(), connection.id)).toBe(2);
    const { state, resumedAt } = await connectionOf(connection.id);
    expect(state).toBe('active');
    expect(resumedAt).toBeInstanceOf(Date);
    expect(await due(connection)).toEqual(deliveries);
  });

  it('retries rejected deliveries at once if the connection was resumed after the request', async () => {
    const { id, deliveries, connection } = await given();
    const before = await requests.taken(id);
    await resumeConnection(database.em(), connection.id);
    await close(before);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active', stateReason: null });
    const [row] = await requests.deliveries(deliveries);
    expect(row).toMatchObject({ state: 'pending', reason: 'TERMS_NOT_SIGNED', retriedSince: expect.any(Date) });
    expect(await due(connection)).toEqual(deliveries);
  });

  it('retries rejected deliveries if the connection was resumed during the request', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    // sent before the resume, settled after it
    const { id, name, deliveries } = await given({ connection });
    await database.pool.query('update delivery_attempt set duration_ms = 60000 where platform_request = $1', [name]);
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active', stateReason: null });
    expect(await held(deliveries)).toBe(0);
    expect(await due(connection)).toEqual(deliveries);
  });

  it('rejects the connection if the attempts are deleted and the request is newer than the resume', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    const { id, name } = await given({ connection });
    await database.asOwner('delete from delivery_attempt where platform_request = $1', [name]);
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'needs_attention' });
  });

  it('rejects the connection again if the request was made after the resume', async () => {
    const connection = await givenConnection(database.em(), { platform: 'google' });
    await resumeConnection(database.em(), connection.id);
    const { id, deliveries } = await given({ connection });
    await close(await requests.taken(id));
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'needs_attention' });
    expect(await held(deliveries)).toBe(2);
  });

  it('keeps a connection paused if an operator has paused it meanwhile', async () => {
    const { id, deliveries, connection } = await given();
    const request = await requests.taken(id);
    await pauseConnection(database.em(), connection.id);
    await close(request);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'paused', stateReason: null });
    expect(await held(deliveries)).toBe(2);
  });

  it('does not change connections of other accounts', async () => {
    const { id, connection, deliveries } = await given();
    const other = await givenConnection(database.em(), { platform: 'google' });
    const request = await requests.taken(id);
    const ofAnother = { ...request, connection: { ...request.connection, accountId: other.account.id } };
    expect(await close(ofAnother)).toEqual([]);
    expect(await connectionOf(connection.id)).toMatchObject({ state: 'active' });
    expect(await held(deliveries)).toBe(0);
  });

  it('loses no rejected delivery under a concurrent resume', async () => {
    for (let round = 0; round < 20; round += 1) {
      const one = await given();
      const other = await given({ connection: one.connection });
      const taken = [await requests.taken(one.id), await requests.taken(other.id)];
      const resume = () => resumeConnection(database.em(), one.connection.id);
      const closing = taken.map(close);
      await Promise.all(round % 2 === 0 ? [...closing, resume()] : [resume(), ...closing]);
      const { state } = await connectionOf(one.connection.id);
      expect(await parcelViolations(database.pool)).toEqual([]);
      expect(await held([...one.deliveries, ...other.deliveries])).toBe(state === 'active' ? 0 : 4);
    }
  });
});
