import { postponePlatformRequest, takeDuePlatformRequests } from '@leadback/core/delivery/request-status';
import { givenConnection, givenDatabase, givenPlatformRequest, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { openExplained, tellPlans } from '../../test/plans.ts';
import { platformRequests } from '../../test/platform-requests.ts';

const hourMs = 3_600_000;

describe('taking a due platform request', async () => {
  const database = await shared(givenDatabase());
  const requests = platformRequests(database);

  it('lets one worker at a time check a request status, with all data that it needs', async () => {
    const { id, name, connection } = await givenPlatformRequest(database.em(), { deliveries: 2 });
    const rounds = await Promise.all(Array.from({ length: 4 }, () => requests.take(id)));
    expect(rounds.filter((one) => one !== undefined)).toEqual([
      {
        id,
        name,
        looks: 1,
        isLastLook: false,
        deliveries: 2,
        connection: {
          id: connection.id,
          accountId: connection.account.id,
          platform: 'google',
          version: connection.version,
          settings: connection.settings,
          eventNames: {},
          encryptedCredentials: connection.credentials,
        },
      },
    ]);
    expect(await requests.take(id)).toBeUndefined();
  });

  it('counts only the deliveries of a request, not those of another account with the same name', async () => {
    const { id, name } = await givenPlatformRequest(database.em(), { deliveries: 2 });
    await givenPlatformRequest(database.em(), { name, deliveries: 3 });
    expect(await requests.take(id)).toMatchObject({ deliveries: 2 });
  });

  it('lets a worker check a request status when the lease of a dead worker expires', async () => {
    const { id } = await givenPlatformRequest(database.em());
    await requests.taken(id);
    expect(await requests.taken(id)).toMatchObject({ looks: 2 });
  });

  it('does not check a request status before its pause is over', async () => {
    const { id } = await givenPlatformRequest(database.em());
    await postponePlatformRequest(database.pool, await requests.taken(id), hourMs);
    expect(await requests.take(id)).toBeUndefined();
    const { lookAt, createdAt } = await requests.stored(id);
    expect((lookAt?.getTime() ?? 0) - createdAt.getTime()).toBeGreaterThanOrEqual(hourMs);
  });

  it('does not check a request status while the connection needs attention', async () => {
    const em = database.em();
    const connection = await givenConnection(em, { platform: 'google', state: 'needs_attention' });
    const { id } = await givenPlatformRequest(em, { connection });
    expect(await requests.take(id)).toBeUndefined();
  });

  it('reads no due requests of connections that are not active to find those of active ones', async () => {
    await using quiet = await givenDatabase();
    const em = quiet.em();
    const stopped = await givenConnection(em, { platform: 'google', state: 'needs_attention' });
    await quiet.pool.query(
      `insert into platform_request (account_id, connection_id, name, look_at)
       select $1, $2, 'request ' || n, now() - interval '1 day' from generate_series(1, 3000) n`,
      [stopped.account.id, stopped.id],
    );
    const { id } = await givenPlatformRequest(em);
    await tellPlans(quiet);
    await using explained = await openExplained(quiet, 'force_generic_plan');
    const due = await takeDuePlatformRequests(explained.pool, 20);
    expect(due.map((one) => one.id)).toEqual([id]);
    const read = explained.takePlans().flatMap(({ nodes }) => nodes.map(({ rowsRead }) => rowsRead));
    expect(Math.max(...read)).toBeLessThan(100);
  });

  it.each([
    ['2 days 23 hours', 9, false],
    ['3 days', 9, true],
    ['3 days', 2, false],
  ])('for a request that is %s old after %d checks, is this the last check: %s', async (age, looks, isLastLook) => {
    const { id } = await givenPlatformRequest(database.em());
    await database.pool.query(
      'update platform_request set created_at = now() - $2::interval, looks = $3 where id = $1',
      [id, age, looks],
    );
    expect(await requests.taken(id)).toMatchObject({ isLastLook });
  });
});
