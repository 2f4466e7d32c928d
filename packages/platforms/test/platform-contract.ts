import type { PlatformName } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { platformRegistry, platformUrlsAt, type SendingMode } from '../src/index.ts';
import { givenConversion, now } from './given-conversion.ts';
import { itBearsTheNetwork } from './network-contract.ts';
import { preparedEvent } from './prepared-event.ts';
import { respond, serveScripted } from './scripted-server.ts';

/** A platform's own words, with the HTTP status that they come with. */
type Words = readonly [status: number, body: unknown];

export interface Contract {
  readonly name: PlatformName;
  readonly settings: unknown;
  readonly credentials: Readonly<Record<string, string>>;
  /** What a request of tests says of itself, and no other. */
  readonly testMark: Readonly<Record<string, unknown>>;
  readonly accepted: Words;
  /** By which the platform knows the accepted request, where it says so. */
  readonly request?: string;
  readonly serverError: Words;
  readonly rateLimited: Words;
  readonly refused: Words;
  readonly wrongEvent: Words;
  /** An error whose message quotes what was sent. */
  readonly quoting: (message: string) => Words;
}

// all that can be known of somebody, and must not be kept
const known = [
  'Canary-Click-Id',
  '203.0.113.77',
  'Canary/5.0 (X11; "Linux")',
  'canary@example.com',
  'fb.1.1558571054389.1098115397',
];
const [clickId = '', ipAddress = '', userAgent = '', email = '', browserId = ''] = known;
const conversion = givenConversion({
  client: { email, phoneNumber: '+5491123456789', name: 'Canary Bird', externalReference: 'c-1' },
  lead: {
    clickParameters: { fbclid: clickId, gclid: clickId, ttclid: clickId, _fbp: browserId },
    ipAddress,
    userAgent,
    landingUrl: `https://landing.example/offer?fbclid=${clickId}`,
  },
});

/** What the worker relies on, whatever the platform: run for each of them against a real server. */
export const itKeepsThePlatformContract = (contract: Contract): void => {
  const { name, settings, credentials } = contract;

  const open = (url: string, requestTimeoutMs?: number, mode: SendingMode = 'live') => {
    const options = { now: () => now, ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }) };
    const urls = { ...platformUrlsAt(url), googleApiUrl: `${url}/` };
    return platformRegistry(urls, options)[name].access(settings, credentials, mode);
  };

  const send = (url: string, requestTimeoutMs?: number) => {
    const access = open(url, requestTimeoutMs);
    return access.send([preparedEvent(access, conversion)]);
  };

  describe(`${name} keeps the platform contract`, () => {
    it('builds the same event of the same conversion', () => {
      const access = open('http://127.0.0.1');
      expect(preparedEvent(access, structuredClone(conversion))).toEqual(preparedEvent(access, conversion));
    });

    it('delivers in one POST whose address tells no secret', async () => {
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

    it('marks a request of tests as such, and no other', async () => {
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
      expect(Object.keys(live)).not.toEqual(expect.arrayContaining(Object.keys(contract.testMark)));
      expect(await bodyOf('test')).toEqual({ ...live, ...contract.testMark });
    });

    it.each([
      ['unavailable', 'serverError'],
      ['throttled', 'rateLimited'],
      ['refused', 'refused'],
      ['rejected', 'wrongEvent'],
    ] as const)('is %s at the words of %s, whatever the HTTP status', async (kind, words) => {
      await using server = await serveScripted();
      const [status, body] = contract[words];
      server.play(respond(status, body));
      expect(await send(server.url)).toMatchObject({
        outcome: { kind },
        httpStatus: status,
        body: JSON.stringify(body),
      });
      server.play(respond(200, body));
      expect(await send(server.url)).toMatchObject({ outcome: { kind }, httpStatus: 200 });
    });

    it('comes back when the platform says', async () => {
      await using server = await serveScripted();
      server.play(respond(...contract.rateLimited, { 'retry-after': '30' }));
      expect(await send(server.url)).toMatchObject({ outcome: { kind: 'throttled', retryAfterMs: 30_000 } });
    });

    itBearsTheNetwork(send);

    it('keeps neither secrets nor personal data of an answer that quotes them', async () => {
      await using server = await serveScripted();
      server.play((response, arrived) => {
        const quoted = `${arrived.authorization} ${email} ${arrived.body}`;
        respond(...contract.quoting(quoted))(response, arrived);
      });
      const answer = await send(server.url);
      const kept = JSON.stringify(answer);
      expect(answer.outcome.kind).toBe('rejected');
      expect(kept).toContain('[redacted]');
      for (const told of [...Object.values(credentials), ...known]) expect(kept).not.toContain(told);
      expect(kept).not.toMatch(/[0-9a-f]{64}|Linux|ya29/);
    });

    it('keeps at most 2 KB of an answer', async () => {
      await using server = await serveScripted();
      server.play(respond(500, 'ñ'.repeat(100_000)));
      const { body } = await send(server.url);
      expect(Buffer.byteLength(body ?? '')).toBe(2048);
    });
  });
};
