import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { Client, Conversion, ConversionAdjustment, Delivery } from '@leadback/db';
import { newWebhookSecret } from '@leadback/domain/keys';
import { givenServer, eventually, givenClient, givenDelivery, givenLandingPage, secretsKey } from '@leadback/testing';
import { findInterpreter, freePort, localUrl } from '@leadback/testing/stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { signedHeaders } from '../../packages/platforms/src/webhook/index.ts';
import { codeBlocks, root } from '../support/code-blocks.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { mainOf } from '../support/main-of.ts';

/** An unreliable proxy to the API: answers the first `POST /client` with 503 and drops the first response of other paths. */
export const givenUnreliableProxy = (apiUrl: string) => {
  const seen = new Set<string>();

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const isFirst = !seen.has(path);
    seen.add(path);
    if (isFirst && path === '/client') {
      response.writeHead(503, { 'retry-after': '1' }).end('{"message":"not available right now"}');
      return;
    }
    const body = (await request.toArray()).join('');
    const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
      ['x-api-key', 'content-type', 'idempotency-key'].includes(name) ? [[name, values.join()]] : [],
    );
    const forwarded = await fetch(apiUrl + path, { method: 'POST', headers: Object.fromEntries(headers), body });
    const text = await forwarded.text();
    if (isFirst) request.socket.destroy();
    else response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
  };

  return givenServer((request, response) => {
    void pass(request, response);
  });
};

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
// the days of the documents: too old for Meta and not for Google, and yesterday
const dated = (code: string) =>
  code.replaceAll('2026-10-03', dayAgo(40)).replaceAll('2026-10-28', dayAgo(30)).replaceAll('2026-11-21', dayAgo(1));

const withoutIds = (text: string) =>
  text.replaceAll(/"leadId": ?\d+/g, '"leadId":0').replaceAll(/,"created",\d+,/g, ',"created",ID,');

/** The code of the document that has this name or text. */
const shownIn = (document: string, wanted: string): string => {
  const block = codeBlocks(document).find(({ name, code }) => name === wanted || code.includes(wanted));
  if (!block) throw new Error(`${document} has no ${wanted}`);
  return dated(block.code);
};

const interpreters: Readonly<Record<string, () => Promise<string>>> = {
  '.sh': async () => {
    await findInterpreter('curl');
    return '/bin/sh';
  },
  '.mjs': () => Promise.resolve(process.execPath),
  '.py': () => findInterpreter('python3'),
  '.php': () => findInterpreter('php'),
};
const interpreterOf = (sample: string) => (interpreters[extname(sample)] ?? (() => Promise.resolve(sample)))();

const libraries = { '.py': 'leadback.py', '.php': 'leadback.php', '.mjs': 'node_modules/@leadback/sdk' };

/** A folder with the samples of a document, and the SDK of this language beside them. */
const givenSamples = async (document: string, language?: keyof typeof libraries): Promise<string> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'samples-'));
  for (const { name, code } of codeBlocks(document)) {
    if (name !== undefined) await writeFile(join(folder, name), dated(code));
  }
  if (language === undefined) return folder;
  const library = join(folder, libraries[language]);
  await mkdir(dirname(library), { recursive: true });
  if (language === '.mjs') await symlink(join(root, 'packages/sdk'), library);
  else await copyFile(join(root, 'apps/api/src/documentation/sdk', libraries[language]), library);
  return folder;
};

/** Runs a sample, or `sh`, in its folder. */
const run = async (
  cwd: string,
  [sample = '', ...words]: readonly string[],
  settings: Readonly<Record<string, string>>,
) => {
  const command = await interpreterOf(sample);
  return await new Promise<{ status: unknown; out: string; err: string }>((resolve) => {
    const env = { ...process.env, ...settings };
    execFile(command, command === sample ? words : [sample, ...words], { cwd, env }, (error, out, err) =>
      resolve({ status: error?.code ?? 0, out, err }),
    );
  });
};
const succeeded = { status: 0, err: '' };

describe('samples for the api', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
    await Promise.all([stack.start('landing'), stack.start('api')]);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  /** A partner with the client `customer-1042`, who runs samples of a document. */
  const givenReader = async (document: string) => {
    const [partner, folder] = await Promise.all([givenPartner(stack), givenSamples(document, '.mjs')]);
    const { account, key } = partner;
    await givenClient(stack.database.em(), { account, externalReference: 'customer-1042' });
    return {
      ...partner,
      folder,
      run: (words: readonly string[], apiUrl = stack.apiUrl) =>
        run(folder, words, { LEADBACK_URL: apiUrl, LEADBACK_KEY: key }),
      stored: () => stack.database.em().find(Conversion, { account }),
    };
  };

  it.concurrent.each(['leadback.sh', 'leadback.mjs'])(
    '%s registers a client and a conversion once despite failures, also if it runs again after a day, and prints the error for a damaged reference',
    async (sample) => {
      const [{ account, key }, folder] = await Promise.all([
        givenPartner(stack),
        givenSamples('docs/partner.md', '.mjs'),
      ]);
      await using proxy = await givenUnreliableProxy(stack.apiUrl);
      const register = async (apiUrl: string, arrivedAt: string) => {
        const ended = await run(folder, [sample, arrivedAt], { LEADBACK_URL: apiUrl, LEADBACK_KEY: key });
        return { ...ended, all: ended.err + ended.out };
      };
      const em = stack.database.em();
      const page = { account, mode: 'direct', targetUrl: 'https://shop.example/offer?a=1' } as const;
      const { slug } = await givenLandingPage(em, page);
      const click = await fetch(`${stack.landingUrl}/${slug}?gclid=G1`, {
        redirect: 'manual',
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' },
      });

      const damaged = await register(stack.apiUrl, 'https://shop.example/offer?serviceId=Zk3vT9qLm2XcB7nRw5YdHs');
      expect(damaged.status).not.toBe(0);
      expect(damaged.all).toContain('leadReference: not a reference that we issued');

      const arrivedAt = click.headers.get('location') ?? '';
      const { status, out, all } = await register(proxy.url, arrivedAt);
      expect({ status, all }).toEqual({ status: 0, all: expect.any(String) });
      const clients = await em.find(Client, { account });
      const conversions = await em.find(Conversion, { account });
      expect(clients).toHaveLength(1);
      expect(conversions).toMatchObject([{ externalReference: 'order-8731', amount: '149.90' }]);
      for (const printed of [String(clients[0]?.id), String(conversions[0]?.id), 'leadId'])
        expect(out).toContain(printed);

      // a day later, the Idempotency-Key is forgotten
      await stack.database.pool.query('delete from idempotency_record where account_id = $1', [account.id]);
      const repeated = await register(stack.apiUrl, arrivedAt);
      expect(repeated).toMatchObject({ status: 0, out: expect.stringMatching(/isRepeated\W+true/i) });
      expect(repeated.out).toMatch(new RegExp(`\\bid\\W+${conversions[0]?.id}\\b`));
      expect(await em.count(Conversion, { account })).toBe(1);
    },
  );

  /** Runs commands of operator-sales.md, for these ids instead of 1. */
  const runOperator = (...commands: readonly string[]) => {
    const code = commands.map((words) => `npm run operator -- ${words}`).join('\n');
    // runs the operator app directly, with the arguments of `npm run operator -- …`
    const npm = 'npm() { shift 3; "$NODE" "$OPERATOR" "$@"; }';
    return run(root, ['/bin/sh', '-ec', `${npm}\n${code}`], {
      NODE: process.execPath,
      OPERATOR: mainOf('apps/operator'),
      DATABASE_URL: stack.database.url,
      SECRETS_KEY: secretsKey.toString('base64'),
    });
  };

  it('adjust.sh restates and retracts an order, and the operator sees it', async () => {
    const reader = await givenReader('docs/corrections.md');
    const { account } = reader;
    const order = { clientExternalReference: 'customer-1042', conversionExternalReference: 'order-8731' };
    await reader.post('/client/conversion', { ...order, amount: 149.9, currency: 'USD' });
    const adjusted = await reader.run(['adjust.sh']);
    expect(adjusted).toMatchObject(succeeded);
    expect(adjusted.out).toContain('"amount":0,"originalAmount":149.9');
    expect((await reader.run(['adjust.sh'])).out).toContain('an adjustment with this reference already exists');

    const adjustments = await stack.database.em().find(ConversionAdjustment, { account }, { orderBy: { id: 'asc' } });
    expect(adjustments.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['restate', '99.90'],
      ['retract', '0.00'],
    ]);
    const shown = await runOperator(
      `metrics --account ${account.id} --by campaign`,
      `delivery list --account ${account.id} --conversion ${adjustments[0]?.conversion.id}`,
    );
    expect(shown).toMatchObject({ ...succeeded, out: expect.stringMatching(/refunded USD[^]*149\.90[^]*retract/) });
  });

  it('failed-deliveries.mjs prints why deliveries failed, on all pages', async () => {
    const reader = await givenReader('docs/corrections.md');
    for (let count = 0; count < 60; count += 1) {
      const failed = { connection: reader.google, state: 'failed', reason: `INVALID_VALUE: ${count}` } as const;
      await givenDelivery(stack.database.em(), failed);
    }
    const { out, ...ended } = await reader.run(['failed-deliveries.mjs']);
    expect(ended).toEqual(succeeded);
    expect(out.trim().split('\n')).toHaveLength(60);
    expect(out).toContain('null google INVALID_VALUE: 0\n');
  });

  it('the operator sees the quality of an account', async () => {
    const partner = await givenPartner(stack);
    const em = stack.database.em();
    const { id } = await givenDelivery(em, { connection: partner.google });
    await em.nativeUpdate(Delivery, { id }, { state: 'skipped', reason: 'no_match_keys', parcelId: null });
    const shown = await runOperator(`quality --account ${partner.account.id}`);
    expect(shown).toMatchObject({ ...succeeded, out: expect.stringContaining('1 no_match_keys') });
  });

  const files = 'docs/sales-in-files.md';

  it('dry-run.sh returns the outcomes that the document shows and registers nothing', async () => {
    const reader = await givenReader(files);
    const { out } = await reader.run(['dry-run.sh']);
    expect(JSON.parse(withoutIds(out))).toEqual(JSON.parse(withoutIds(shownIn(files, '"results"'))));
    expect(await reader.stored()).toEqual([]);
  });

  it('batch.mjs registers a batch once although a response is lost, and prints what was refused', async () => {
    const reader = await givenReader(files);
    await using proxy = await givenUnreliableProxy(stack.apiUrl);
    const { status, out, err } = await reader.run(['batch.mjs', 'orders.json'], proxy.url);
    expect(status).toBe(0);
    expect(out).toContain('repeated: 1');
    expect(err).toContain('order-8732 refused no client matches clientExternalReference or email');
    expect(await reader.stored()).toMatchObject([{ externalReference: 'order-8731', amount: '149.90' }]);
  });

  it('import.sh imports a file and prints the result that the document shows', async () => {
    const reader = await givenReader(files);
    const { out } = await reader.run(['import.sh']);
    expect(withoutIds(out)).toContain(withoutIds(shownIn(files, ',"outcome","id","message"')));
    expect(out).toContain('"state":"done"');
    expect(await reader.stored()).toMatchObject([{ externalReference: 'order-9001', amount: '149.90' }]);
  });

  it('reconcile.sh finds what is missing in the list of the document, and replay.sh registers it', async () => {
    const reader = await givenReader(files);
    const sale = { clientExternalReference: 'customer-1042', currency: 'USD', occurredAt: `${dayAgo(40)}T12:00:00Z` };
    await reader.post('/client/conversion', { ...sale, amount: 149.9, conversionExternalReference: 'order-8731' });
    await reader.post('/client/conversion', { ...sale, amount: 20, conversionExternalReference: 'order-8700' });
    const { out } = await reader.run(['reconcile.sh', 'october.csv', dayAgo(45), dayAgo(15)]);
    const [found = '', tried = ''] = out.split('\n');
    const counts = { matched: 1, missing: 1, missingWithoutClient: 1, extra: 1, undelivered: 1, refused: 0 };
    expect(JSON.parse(found)).toMatchObject({ id: expect.any(Number), counts });
    const shown: unknown = JSON.parse(shownIn(files, '"tooOld"'));
    expect(JSON.parse(tried)).toEqual({ ...Object(shown), dryRun: true });
    const [, ...rows] = (await readFile(join(reader.folder, 'result.csv'), 'utf8')).trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[1]).toContain('"order-8733","80.00","USD",');

    const [, id = ''] = /"id":(\d+)/.exec(found) ?? [];
    const replayed = await reader.run(['replay.sh', id]);
    expect([replayed.status, JSON.parse(replayed.out)]).toEqual([0, shown]);
    const stored = (await reader.stored()).filter(({ externalReference }) => externalReference === 'order-8733');
    expect(stored).toMatchObject([{ occurredAt: new Date(`${dayAgo(30)}T18:20:00-03:00`) }]);
  });
});

it.each(['.py', '.php'] as const)(
  'the sample shop%s registers a client and a sale beside the SDK',
  async (language) => {
    const seen: string[] = [];
    await using api = await givenServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"id": 31, "leadId": 12}');
    });
    const settings = { LEADBACK_KEY: 'lb_1', LEADBACK_URL: `${api.url}/api/v1`, SERVICE_ID: 'Zk3vT9qLm2XcB7nRw5YdHs' };
    const folder = await givenSamples('docs/sdks.md', language);
    expect(await run(folder, [`shop${language}`], settings)).toMatchObject({ status: 0, out: 'registered 31\n' });
    expect(seen).toEqual(['POST /api/v1/client lb_1', 'POST /api/v1/client/conversion lb_1']);
  },
);

/** The running sample of a receiver of webhooks. */
const givenReceiver = async (language: keyof typeof libraries, secret: string) => {
  const folder = await givenSamples('docs/webhooks.md', language);
  const port = await freePort();
  const sample = `webhook${language}`;
  const options = { '.mjs': ['--conditions=leadback-source'], '.php': ['-S', `127.0.0.1:${port}`], '.py': [] };
  const env = { ...process.env, LEADBACK_WEBHOOK_SECRET: secret, PORT: String(port), TMPDIR: folder };
  const receiver = spawn(await interpreterOf(sample), [...options[language], sample], { cwd: folder, env });
  let printed = '';
  for (const stream of [receiver.stdout, receiver.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const url = `${localUrl(port)}/leadback-webhook`;
  await eventually(() => fetch(url, { method: 'POST', body: '{}' }));
  return {
    /** The printed lines about a type of events. */
    linesOf: (type: string) => printed.split('\n').filter((line) => line.includes(type)),
    async statusOf(body: string, signed: Readonly<Record<string, string>>) {
      const headers = { 'content-type': 'application/json', ...signed };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        receiver.once('exit', () => resolve()).kill('SIGKILL');
      }),
  };
};

it.each(['.mjs', '.py', '.php'] as const)(
  'the receiver webhook%s accepts a genuine webhook once, and refuses forged and old ones',
  async (language) => {
    const secret = newWebhookSecret();
    await using receiver = await givenReceiver(language, secret);
    const event = { type: 'delivery.failed', timestamp: '2026-11-21T12:00:00.420Z', data: { deliveryId: 96 } };
    const body = JSON.stringify(event);
    const nowMs = Date.now();
    const signed = signedHeaders({ secret }, { id: 'evt_1', body, nowMs });
    expect(await receiver.statusOf(body, signed)).toBe(204);
    expect(await receiver.statusOf(body, signed)).toBe(204);
    expect(await receiver.statusOf(body.replace('96', '97'), signed)).toBe(400);
    const old = signedHeaders({ secret }, { id: 'evt_2', body, nowMs: nowMs - 6 * 60_000 });
    expect(await receiver.statusOf(body, old)).toBe(400);
    // while the secret is changed, a request has a signature of each
    const until = new Date(nowMs + 60_000).toISOString();
    const changed = { secret: newWebhookSecret(), earlier: [{ secret, until }] };
    expect(await receiver.statusOf(body, signedHeaders(changed, { id: 'evt_3', body, nowMs }))).toBe(204);
    await eventually(() => expect(receiver.linesOf('delivery.failed')).toHaveLength(2));
  },
);
