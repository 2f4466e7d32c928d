import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { platformRegistry, type TakeSlot } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { googleError } from './google-error.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, type Script, serveScripted } from './scripted-server.ts';

const settings = { customerId: '1234567890', conversionActionId: '848898416' };
const credentials = { clientId: '42-a.apps.googleusercontent.com', clientSecret: 's', refreshToken: '1//r' };
const accepted = respond(200, { requestId: 'r1' });
const unauthorized = respond(401, googleError(401, 'UNAUTHENTICATED'));

const send = async (takeSlot: TakeSlot, script: Script, requestTimeoutMs?: number) => {
  await using server = await serveScripted();
  server.play(script);
  const urls = { PLATFORM_SANDBOX_URL: server.url };
  const { google } = platformRegistry(urls, {
    now: () => now,
    takeSlot,
    ...(requestTimeoutMs && { requestTimeoutMs }),
  });
  const access = google.access(settings, credentials, 'live');
  const event = preparedEvent(access, givenConversion({ lead: { clickParameters: { gclid: 'Cj0Kclick' } } }));
  const waitMs = await access.takeSlot?.();
  return { waitMs, answer: await access.send([event]), sent: server.events().length };
};
const noSlot: TakeSlot = () => Promise.resolve(7_000);
const afterALongTime: TakeSlot = () => wait(1_100);
const postponed = (retryAfterMs: number) => ({
  outcome: { kind: 'postponed', reason: 'quota', retryAfterMs },
  httpStatus: null,
  body: null,
});

describe("Google's quota", () => {
  it("takes a slot of Google's quota before each request", async () => {
    const takeSlot = vi.fn<TakeSlot>(() => Promise.resolve(undefined));
    const { sent } = await send(takeSlot, unauthorized);
    expect(sent).toBe(2);
    expect(takeSlot).toHaveBeenCalledTimes(2);
    expect(takeSlot).toHaveBeenCalledWith(expect.objectContaining({ name: 'google 42', perMinute: 300 }));
  });

  it("says when to try again while Google's quota is used up, before events are gathered for a request", async () => {
    expect(await send(noSlot, accepted)).toMatchObject({ waitMs: 7_000 });
  });

  it("takes no second slot of Google's quota for a request that is sent once", async () => {
    const takeSlot = vi.fn<TakeSlot>(() => Promise.resolve(undefined));
    expect(await send(takeSlot, accepted)).toMatchObject({ waitMs: undefined, sent: 1 });
    expect(takeSlot).toHaveBeenCalledOnce();
  });

  it("checks no connection while Google's quota is used up", async () => {
    await using server = await serveScripted();
    const { google } = platformRegistry({ PLATFORM_SANDBOX_URL: server.url }, { takeSlot: noSlot });
    expect(await google.access(settings, credentials, 'live').check()).toEqual(postponed(7_000));
    expect(server.arrived).toEqual([]);
  });

  it("sends no second request if the first one used up Google's quota", async () => {
    const takeSlot = vi.fn<TakeSlot>().mockResolvedValueOnce(undefined).mockResolvedValueOnce(9_000);
    const { answer, sent } = await send(takeSlot, unauthorized);
    expect(answer).toEqual(postponed(9_000));
    expect(sent).toBe(1);
  });

  it("may wait for a slot of Google's quota longer than a request may take", async () => {
    expect(await send(afterALongTime, accepted, 1_000)).toMatchObject({ answer: { outcome: { kind: 'delivered' } } });
  });
});
