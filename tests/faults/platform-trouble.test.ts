import { resumeConnection } from '@leadback/core/connections/store';
import { eventually, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { retriesComeDue } from '../support/deliveries.ts';
import { deliveriesOf } from '../support/deliveries-of.ts';
import { givenTroubledPlatform } from '../support/platform-front.ts';

const hour = 3_600;
const metaError = (code: number) => ({ error: { message: 'no', code, is_transient: false } });
const failedWith = (status: number) => `unavailable ${status}`;

describe('platform failures', async () => {
  const given = await shared(givenTroubledPlatform());

  it('retries a failing platform with growing pauses and records each attempt', async () => {
    const { stack, ledger, givenPartner, metaOf } = given;
    const statuses = [500, 502, 503, 504];
    const failing = await givenPartner((turn) => (turn < 4 ? { status: statuses[turn] ?? 500 } : 'pass'));
    const recovering = await givenPartner((turn) => (turn < 3 ? { status: 500 } : 'pass'));
    const changing = await givenPartner((turn) => (turn % 2 === 0 ? { status: 503 } : 'pass'));
    for (const attempts of [1, 2, 3, 4]) {
      const expected = { state: 'pending', attempts };
      await eventually(async () => expect(await metaOf(failing)).toMatchObject(expected));
      const { pauseSeconds } = (await metaOf(failing)) ?? {};
      expect(pauseSeconds).toBeGreaterThanOrEqual(10);
      expect(pauseSeconds).toBeLessThanOrEqual(10 * 2 ** attempts);
      await retriesComeDue(stack.database);
    }
    await eventually(
      async () => {
        await retriesComeDue(stack.database);
        const rows = await Promise.all([failing, recovering, changing].map(metaOf));
        expect(rows.filter((row) => row?.state !== 'delivered')).toEqual([]);
      },
      { interval: 250 },
    );
    expect((await metaOf(failing))?.outcomes).toEqual([...statuses.map(failedWith), 'delivered 200']);
    expect((await metaOf(recovering))?.outcomes).toEqual([...Array(3).fill(failedWith(500)), 'delivered 200']);
    expect((await metaOf(changing))?.outcomes).toEqual([failedWith(503), 'delivered 200']);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('respects Retry-After within limits, and counts no attempt for 429', async () => {
    const { stack, ledger, givenPartner, metaOf, isDelivered, recover } = given;
    const inFiveMinutes = new Date(Date.now() + 300_000).toUTCString();
    const asked = [
      ['120', 120, 120],
      [inFiveMinutes, 240, 300],
      ['9999999999', hour, 24 * hour],
      ['-5', 10, 20],
      ['NaN', 10, 20],
    ] as const;
    const partners = await Promise.all(
      asked.map(([retryAfter]) => givenPartner(() => ({ status: 429, headers: { 'retry-after': retryAfter } }))),
    );
    await isDelivered(await givenPartner(() => 'pass'));
    const said = async () => {
      const rows = await Promise.all(partners.map(metaOf));
      return asked.map(([retryAfter, least, most], index) => {
        const { pauseSeconds = 0, outcomes, attempts } = rows[index] ?? {};
        return { retryAfter, outcomes, attempts, isWithinReason: pauseSeconds >= least && pauseSeconds <= most };
      });
    };
    const wanted = { outcomes: ['throttled 429'], attempts: 0, isWithinReason: true };
    const expected = asked.map(([retryAfter]) => ({ retryAfter, ...wanted }));
    await eventually(async () => expect(await said()).toEqual(expected));
    await recover(partners);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('fails rejected events, holds what rejected connections wait for and retries platform failures, for that connection only', async () => {
    const { stack, ledger, givenPartner, metaOf, isDelivered, recover } = given;
    const failed = { state: 'failed', isHeld: false };
    const held = { state: 'pending', isHeld: true };
    const retried = { state: 'pending', isHeld: false };
    const answers = [
      [400, metaError(100), failed],
      [404, metaError(803), held],
      [410, metaError(999_999), failed],
      [200, metaError(100), failed],
      [401, metaError(190), held],
      [403, metaError(200), held],
      [200, metaError(190), held],
      [200, { events_received: 0, messages: [] }, retried],
      [403, '<h1>Forbidden</h1>', retried],
      [404, '<h1>Not found</h1>', retried],
    ] as const;
    const partners = await Promise.all(answers.map(([status, body]) => givenPartner(() => ({ status, body }))));
    await isDelivered(await givenPartner(() => 'pass'));
    const said = async () => {
      const rows = await Promise.all(partners.map(metaOf));
      return answers.map(([status, body], index) => {
        const { state, isHeld, attempts } = rows[index] ?? {};
        return { status, body, state, isHeld, attempts };
      });
    };
    const expected = answers.map(([status, body, consequence]) => ({ status, body, ...consequence, attempts: 1 }));
    await eventually(async () => expect(await said()).toEqual(expected));

    await recover(partners);
    for (const { meta } of partners) await resumeConnection(stack.database.em(), meta.id);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    const states = (await said()).map(({ state }) => state);
    expect(states).toEqual(answers.map(([, , { state }]) => (state === 'failed' ? 'failed' : 'delivered')));
  });

  it('does not delay other connections of a platform if one does not respond', async () => {
    const { stack, front, ledger, givenPartner, areDelivered, recover } = given;
    const dead = await givenPartner(() => 'silence', 300);
    await eventually(() => expect(front.requests(dead.pixelId).came).toBeGreaterThan(0));
    await areDelivered(100, await givenPartner(() => 'pass', 100));
    // the first request has not timed out yet
    expect(front.requests(dead.pixelId).abandoned).toBe(0);
    await recover([dead]);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('does not delay other platforms if one does not respond', async () => {
    const { stack, front, ledger, givenPartner, areDelivered, recover } = given;
    const partners = [await givenPartner(() => 'silence', 50), await givenPartner(() => 'silence', 50)];
    for (const partner of partners) await areDelivered(50, partner, 'google');
    const waiting = partners.map(({ pixelId }) => front.requests(pixelId));
    expect(waiting.filter(({ came, abandoned }) => came === 0 || abandoned > 0)).toEqual([]);
    await recover(partners);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  it('sends copies with the same id and content if the responses of a platform are lost', async () => {
    const { stack, ledger } = given;
    const platforms = ['meta', 'google'] as const;
    for (const platform of platforms) await stack.sandbox.behave({ platform, answer: 'accepted-but-lost', times: 1 });
    const partner = await ledger.join();
    await ledger.register(1, partner);
    const deliveries = async () =>
      (await Promise.all(platforms.map((platform) => deliveriesOf(stack, partner, platform)))).flat();
    await eventually(async () => {
      expect(await deliveries()).toMatchObject([1, 1].map((attempts) => ({ state: 'pending', attempts })));
    });
    await retriesComeDue(stack.database);
    expect(await violationsAfter(stack, ledger, { duplicatesMax: 2 })).toEqual([]);
    const own = [partner.pixelId, partner.conversionActionId];
    expect((await stack.sandbox.events()).filter(({ connection }) => own.includes(connection))).toHaveLength(4);
  });
});
