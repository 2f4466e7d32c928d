import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { givenDatabase, secretsKey, type TestDatabase, unique } from '@leadback/testing';
import type { LeadbackAppName } from '@leadback/testing/stack';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { readReleases } from '../../../scripts/release/releases.ts';
import { allDelivered } from '../../support/deliveries.ts';
import { givenStack, type RunningApp, type TestStack } from '../../support/given-stack.ts';
import { eventId } from '../../support/sandbox.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** The newest release; `UPGRADE_FROM` is another commit. */
const from = process.env['UPGRADE_FROM'] ?? readReleases(root).at(-1)?.commit;

const execute = promisify(execFile);
const testMs = 900_000;

const temporary = (name: string) => mkdtemp(join(inject('temporaryFolder'), `${name}-`));

/** The files of a commit, with their libraries. */
const givenVersion = async (commit: string): Promise<string> => {
  const folder = await temporary('version');
  const archive = join(await temporary('archive'), 'version.tar');
  await execute('git', ['archive', '--output', archive, commit], { cwd: root });
  await execute('tar', ['--extract', '--file', archive], { cwd: folder });
  await execute('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'], { cwd: folder });
  return folder;
};

/** The operator of a version. */
const operatorOf = (folder: string, { url, ownerUrl }: TestDatabase) => {
  const run = async (databaseUrl: string, words: readonly string[]): Promise<unknown> => {
    const env = { ...process.env, DATABASE_URL: databaseUrl, SECRETS_KEY: secretsKey.toString('base64') };
    const main = join(folder, 'apps/operator/src/main.ts');
    return JSON.parse((await execute(process.execPath, [main, ...words, '--json'], { env })).stdout);
  };
  return {
    migrate: () => run(ownerUrl, ['database', 'migrate']),
    operate: (...words: readonly string[]) => run(url, words),
  };
};

const created = z.object({ id: z.number() });

/** An account with a page, a connection to Meta and a key. */
const givenSeller = async ({ operate }: ReturnType<typeof operatorOf>) => {
  const slug = unique('page').toLowerCase().replaceAll('_', '-');
  const token = join(await temporary('token'), 'token');
  await writeFile(token, 'EAAB-sandbox');
  const { id } = created.parse(await operate('account', 'create', '--name', unique('Seller'), '--country', 'AR'));
  const of = ['--account', String(id)];
  await operate('page', 'create', ...of, '--slug', slug, '--mode', 'direct', '--target', 'https://shop.example/');
  const destination = ['--pixel-id', '123456789012345', '--access-token', `@${token}`];
  await operate('connection', 'create', ...of, '--platform', 'meta', ...destination);
  const issued = await operate('key', 'issue', ...of, '--name', 'backend', '--may', 'read,register');
  return { slug, ...z.object({ key: z.string() }).parse(issued) };
};

/** Tries again until there is a response that is no failure of ours. */
const answered = async (url: string, init: RequestInit): Promise<Response> => {
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response !== undefined && response.status < 500) return response;
    await pause(100);
  }
};

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Visitors who click, register and buy one after the other, until it is stopped. */
const givenTrade = ({ landingUrl, apiUrl }: TestStack, { slug, key }: Awaited<ReturnType<typeof givenSeller>>) => {
  const sold: string[] = [];
  const refused: unknown[] = [];
  const over = new AbortController();
  const post = async (path: string, body: unknown): Promise<void> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await answered(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (![200, 201].includes(response.status)) refused.push([path, response.status, await response.text()]);
  };
  const buy = async (): Promise<void> => {
    const click = `${landingUrl}/${slug}?fbclid=IwAR0${unique('click')}`;
    const { headers } = await answered(click, { redirect: 'manual', headers: { 'user-agent': browser } });
    const leadReference = new URL(headers.get('location') ?? '').searchParams.get('serviceId');
    const order = unique('order');
    const email = `${order}@shop.test`;
    await post('/client', { leadReference, externalReference: order, email });
    const sale = { clientExternalReference: order, conversionExternalReference: order, amount: 10, currency: 'USD' };
    await post('/client/conversion', sale);
    sold.push(order);
  };
  const ended = (async () => {
    for (; !over.signal.aborted; await pause(20)) await buy();
  })();
  return {
    refused,
    /** Waits for as many sales more. */
    more: async (count: number) => {
      for (const until = sold.length + count; sold.length < until; ) await Promise.race([pause(50), ended]);
    },
    stop: async () => {
      over.abort();
      await ended;
      return sold;
    },
  };
};

it.skipIf(from === undefined)(
  'an upgrade from the newest release, app by app while people buy, and back again, loses no sale and reports each once',
  async () => {
    const old = await givenVersion(from ?? '');
    const database = await givenDatabase();
    await database.asOwner('drop schema public cascade; create schema public');
    const operator = operatorOf(old, database);
    await operator.migrate();
    await using stack = await givenStack(undefined, database);
    const logFolder = join(await temporary('old'), 'logs');
    await mkdir(logFolder);
    const seller = await givenSeller(operator);

    const running = new Map<LeadbackAppName, RunningApp>();
    /** Starts this version of an app, or the old one, in place of what runs. */
    const run = async (name: LeadbackAppName, version: 'old' | 'new'): Promise<void> => {
      await running.get(name)?.stop();
      running.set(name, await stack.start(name, version === 'old' ? { root: old, isBundled: false, logFolder } : {}));
    };
    // as in docs/upgrade-and-restore.md
    const order = ['feedback-worker', 'api', 'landing', 'console'] as const;
    for (const name of order) await run(name, 'old');
    const trade = givenTrade(stack, seller);
    await trade.more(10);
    await operatorOf(root, database).migrate();
    await trade.more(10);
    for (const name of order) {
      await run(name, 'new');
      await trade.more(10);
    }
    for (const name of order.toReversed()) {
      await run(name, 'old');
      await trade.more(10);
    }
    for (const name of order) await run(name, 'new');
    await trade.more(10);
    const sold = await trade.stop();

    expect(trade.refused).toEqual([]);
    await allDelivered(database);
    expect((await stack.sandbox.events()).map(eventId).toSorted()).toEqual(sold.toSorted());
    const { rows } = await database.pool.query<{ matched: number }>(
      'select count(lead_id)::int as matched from conversion',
    );
    expect(rows).toEqual([{ matched: sold.length }]);
  },
  testMs,
);
