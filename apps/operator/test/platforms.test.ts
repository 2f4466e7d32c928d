import { text } from 'node:stream/consumers';
import { platformSandbox } from '@leadback/platform-sandbox';
import { givenAccount, givenConnection, givenServer, givenWebhook, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

const recordSchema = z.object({
  at: z.iso.datetime(),
  differences: z.number(),
  unanswered: z.number(),
  connections: z.array(z.looseObject({ platform: z.string(), sent: z.number(), note: z.string().nullable() })),
  examples: z.array(
    z.looseObject({ platform: z.string(), example: z.string(), differs: z.boolean().nullable(), answer: z.unknown() }),
  ),
});

const metaBody = z.object({ data: z.array(z.object({ event_time: z.number() })) });

describe('platforms check', async () => {
  const sandbox = await shared(givenServer(platformSandbox()));
  /** What a platform answers instead of the sandbox. */
  let instead: (path: string, body: string) => { readonly status: number; readonly body: unknown } | undefined;
  const paths: string[] = [];
  const front = await shared(
    givenServer((request, response) => {
      void text(request).then(async (body) => {
        const path = request.url ?? '';
        paths.push(path);
        const other = instead(path, body);
        if (other) {
          response.writeHead(other.status, { 'content-type': 'application/json' }).end(JSON.stringify(other.body));
          return;
        }
        const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
        );
        const reply = await fetch(sandbox.url + path, { method: request.method ?? 'POST', headers, body });
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
      });
    }),
  );
  const operator = await shared(givenOperator(front.url));
  beforeEach(() => {
    instead = () => undefined;
    paths.length = 0;
  });

  const givenConnected = async (...platforms: readonly string[]) => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    for (const platform of platforms) await givenConnection(em, { account, platform: z.enum(names).parse(platform) });
    return account;
  };
  const names = ['meta', 'google', 'tiktok', 'linkedin', 'microsoft'] as const;
  const check = async (account: number) => {
    const { status, out } = await operator.type(`platforms check --account ${account} --json`);
    return { status, record: recordSchema.parse(JSON.parse(out)) };
  };
  const rowsOfTables = async () => {
    const { rows } = await operator.database.pool.query<{ name: string; rows: string }>(
      `select c.relname as name,
              (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || c.oid::regclass, false, true, '')))[1]::text as rows
       from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    return rows;
  };

  it('finds no difference to the sandbox, sends nothing to platforms without tests, and stores nothing', async () => {
    const account = await givenConnected(...names);
    await givenWebhook(operator.database.em(), { account });
    const before = await rowsOfTables();
    const startedMs = Date.now();
    const { status, record } = await check(account.id);
    expect([status, record.differences, record.unanswered]).toEqual([0, 0, 0]);
    expect(Date.parse(record.at)).toBeGreaterThanOrEqual(startedMs);
    expect(record.connections.map(({ platform, sent, note }) => [platform, sent > 0, note])).toEqual([
      ['meta', true, null],
      ['google', true, null],
      ['tiktok', true, null],
      ['linkedin', false, 'LinkedIn has no test mode: nothing was sent'],
      ['microsoft', false, 'Microsoft Advertising has no test mode: nothing was sent'],
    ]);
    expect(paths.filter((path) => /conversionEvents|CampaignManagement|oauth2\/v2|accessToken/.test(path))).toEqual([]);
    expect(await rowsOfTables()).toEqual(before);
  });

  it('marks exactly the three answers that are not those of the sandbox, and fails', async () => {
    const account = await givenConnected('meta', 'google', 'tiktok');
    const dayAgo = Date.now() / 1000 - 86_400;
    instead = (path, body) => {
      if (path.endsWith('/events') && (metaBody.parse(JSON.parse(body)).data[0]?.event_time ?? 0) < dayAgo) {
        return { status: 200, body: { events_received: 1 } };
      }
      if (path.includes('events:ingest') && body.includes('PESOS')) {
        const violation = { field: 'events.events[0].currency', reason: 'INVALID_FORMAT', description: 'no currency' };
        const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] }];
        return { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'wrong', details } } };
      }
      const isNegative = path.includes('event/track') && body.includes('"value":-1');
      return isNegative ? { status: 200, body: { code: 0, message: 'OK', data: {} } } : undefined;
    };
    const { status, record } = await check(account.id);
    expect([status, record.differences, record.unanswered]).toEqual([1, 3, 0]);
    expect(record.examples.filter(({ differs }) => differs)).toEqual([
      expect.objectContaining({
        platform: 'meta',
        example: 'eight days ago',
        answer: { outcome: 'delivered', httpStatus: 200, code: null, words: null },
        sandbox: { outcome: 'rejected', httpStatus: 400, code: 'event_too_old' },
      }),
      expect.objectContaining({
        platform: 'google',
        example: 'a currency that is none',
        answer: { outcome: 'rejected', httpStatus: 400, code: 'INVALID_FORMAT', words: 'INVALID_FORMAT: no currency' },
        sandbox: { outcome: 'rejected', httpStatus: 400, code: 'INVALID_CURRENCY_CODE' },
      }),
      expect.objectContaining({ platform: 'tiktok', example: 'a negative amount' }),
    ]);
    const { status: shown, out } = await operator.type(`platforms check --account ${account.id}`);
    expect([shown, out.match(/DIFFERENT/g)?.length]).toEqual([1, 3]);
    expect(out).toContain('rejected, HTTP 400, INVALID_CURRENCY_CODE');
  });

  it('sends no further example to a platform that rejects the connection or does not answer, and says what to do', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const revoked = await givenConnection(em, { account, credentials: { accessToken: 'revoked' } });
    await givenConnection(em, { account, platform: 'tiktok' });
    instead = (path) => (path.includes('event/track') ? { status: 503, body: 'busy' } : undefined);
    const { status, record } = await check(account.id);
    expect([status, record.differences, record.unanswered]).toEqual([1, 0, record.examples.length]);
    expect(paths).toHaveLength(2);
    const [meta, tiktok] = record.connections.map(({ note }) => note);
    expect(meta).toContain(`connection change ${revoked.id} --access-token`);
    expect(tiktok).toContain('TikTok is unavailable');
    expect(JSON.stringify(record)).not.toContain('"revoked"');
  });

  it('says that an account has no connection, and that there is no account', async () => {
    const { id } = await givenConnected();
    expect((await operator.type(`platforms check --account ${id}`)).err).toContain('has no connection to a platform');
    expect((await operator.type('platforms check --account 999999')).status).toBe(1);
  });
});
