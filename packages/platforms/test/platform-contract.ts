import { type PlatformName, platformNamed } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry, type SendingMode } from '../src/index.ts';
import { canaries, canaryConversion as conversion, canaryEmail } from './canary-conversion.ts';
import { now } from './given-conversion.ts';
import { itHandlesNetworkFailures } from './network-contract.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

/** A platform's own response, with its HTTP status. */
type PlatformResponse = readonly [status: number, body: unknown];

export interface Contract {
  readonly name: PlatformName;
  readonly settings: unknown;
  readonly credentials: Readonly<Record<string, string>>;
  /** The field that marks a request as a test; missing if the platform takes no tests. */
  readonly testMark?: Readonly<Record<string, unknown>>;
  readonly accepted: PlatformResponse;
  /** The platform's id of the accepted request, if it has one. */
  readonly request?: string;
  readonly serverError: PlatformResponse;
  readonly rateLimited: PlatformResponse;
  readonly refused: PlatformResponse;
  readonly wrongEvent: PlatformResponse;
  /** An error whose message quotes what was sent. */
  readonly quoting: (message: string) => PlatformResponse;
}

/** What the worker relies on, run for each platform against a real server. */
export const itKeepsThePlatformContract = (contract: Contract): void => {
  const { name, settings, credentials, testMark } = contract;

  const open = (url: string, requestTimeoutMs?: number, mode: SendingMode = 'live') => {
    const options = { now: () => now, ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }) };
    return platformRegistry({ PLATFORM_SANDBOX_URL: `${url}/` }, options)[name].access(settings, credentials, mode);
  };

  const send = (url: string, requestTimeoutMs?: number) => {
    const access = open(url, requestTimeoutMs);
    return access.send([preparedEvent(access, conversion)]);
  };

  describe(`${name} keeps the platform contract`, () => {
    it('builds the same event from the same conversion', () => {
      const access = open('http://127.0.0.1');
      expect(preparedEvent(access, structuredClone(conversion))).toEqual(preparedEvent(access, conversion));
    });

    it('reports which events it used exactly if reports of conversions expect it', () => {
      const { limits } = platformRegistry({})[name];
      expect(limits.requestStatusAfterMs !== undefined).toBe(platformNamed(name)?.reportsUse);
    });

    it('delivers in one POST whose URL contains no secret', async () => {
      await using server = await serveScripted();
      server.play(respond(...contract.accepted));
      const answer = await send(server.url);
      expect(answer).toEqual({
        outcome: { kind: 'delivered', ...(contract.request && { request: contract.request }) },
        httpStatus: 200,
        body: JSON.stringify(contract.accepted[1]),
      });
      expect(server.events()).toHaveLength(1);
      for (const secret of Object.values(credentials)) expect(server.events()[0]?.path).not.toContain(secret);
    });

    const marks = [testMark];
    it.each(marks.filter((mark) => mark === undefined))('skips tests, and sends only a check', async () => {
      await using server = await serveScripted();
      server.play(respond(...contract.accepted));
      const access = open(server.url, undefined, 'test');
      expect(access.prepare(conversion, now)).toEqual({ kind: 'skipped', reason: 'no_test_mode' });
      expect(await access.check()).toMatchObject({ outcome: { kind: 'delivered' } });
      for (const told of canaries) expect(server.events()[0]?.body).not.toContain(told);
    });

    it.each(marks.filter((mark) => mark !== undefined))('marks only requests with test events by %j', async (mark) => {
      await using server = await serveScripted();
      const bodyOf = async (mode: SendingMode) => {
        server.play(respond(...contract.accepted));
        const access = open(server.url, undefined, mode);
        expect(await access.send([preparedEvent(access, conversion)])).toMatchObject({
          outcome: { kind: 'delivered' },
        });
        return JSON.parse(server.events().at(-1)?.body ?? '{}');
      };
      const live = await bodyOf('live');
      expect(Object.keys(live)).not.toEqual(expect.arrayContaining(Object.keys(mark)));
      expect(await bodyOf('test')).toEqual({ ...live, ...mark });
    });

    it.each([
      ['unavailable', 'serverError'],
      ['throttled', 'rateLimited'],
      ['refused', 'refused'],
      ['rejected', 'wrongEvent'],
    ] as const)('is %s after the response %s, whatever the HTTP status', async (kind, response) => {
      await using server = await serveScripted();
      const [status, body] = contract[response];
      server.play(respond(status, body));
      expect(await send(server.url)).toMatchObject({
        outcome: { kind },
        httpStatus: status,
        body: JSON.stringify(body),
      });
      server.play(respond(200, body));
      expect(await send(server.url)).toMatchObject({ outcome: { kind }, httpStatus: 200 });
    });

    it('uses the retry time of the platform', async () => {
      await using server = await serveScripted();
      server.play(respond(...contract.rateLimited, { 'retry-after': '30' }));
      expect(await send(server.url)).toMatchObject({ outcome: { kind: 'throttled', retryAfterMs: 30_000 } });
    });

    itHandlesNetworkFailures(send);

    it('stores neither secrets nor personal data of a response that quotes them', async () => {
      await using server = await serveScripted();
      server.play((response, arrived) => {
        const quoted = `${arrived.authorization} ${canaryEmail} ${arrived.body}`;
        respond(...contract.quoting(quoted))(response, arrived);
      });
      const answer = await send(server.url);
      const kept = JSON.stringify(answer);
      expect(answer.outcome.kind).toBe('rejected');
      expect(kept).toContain('[redacted]');
      for (const told of [...Object.values(credentials), ...canaries]) expect(kept).not.toContain(told);
      expect(kept).not.toMatch(/[0-9a-f]{64}|Linux|ya29/);
    });

    it('stores at most 2 KB of a response', async () => {
      await using server = await serveScripted();
      server.play(respond(500, 'ñ'.repeat(100_000)));
      const { body } = await send(server.url);
      expect(Buffer.byteLength(body ?? '')).toBe(2048);
    });
  });
};
