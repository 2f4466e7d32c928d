import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSource, pauseSource } from '@leadback/core/sources/sources';
import { Delivery, Lead } from '@leadback/db';
import { bufferedLeadKeys, decryptLead, encryptLead } from '@leadback/domain/keys';
import { deadLeadQueue, hintQueue, leadQueue, replayDeadLeads } from '@leadback/server/broker';
import {
  everyRow,
  secretsKeys,
  eventually,
  bufferedLead,
  givenLandingPage,
  givenServer,
  givenWebhook,
  tcpProxy,
} from '@leadback/testing';
import { signedHeaders } from '../../packages/platforms/src/webhook/index.ts';
import { connect } from 'amqplib';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Canary, givenCanary, visitAs } from '../support/canary-visits.ts';
import { type Partner, givenPartner } from '../support/given-partner.ts';
import { type TestStack, givenStack } from '../support/given-stack.ts';
import { givenPlatformFront } from '../support/platform-front.ts';

const keys = bufferedLeadKeys(secretsKeys);
const readable = (content: Buffer): string => {
  const lead = decryptLead(keys, content);
  return lead === undefined ? content.toString() : JSON.stringify(lead);
};

const inQueue = async (url: string, queue: string): Promise<string[]> => {
  const connection = await connect(url, { timeout: 5_000 });
  try {
    const channel = await connection.createChannel();
    const texts: string[] = [];
    // what is read goes back when the connection closes
    for (let message = await channel.get(queue); message; message = await channel.get(queue)) {
      texts.push(`${JSON.stringify(message.properties)} ${readable(message.content)}`);
    }
    return texts;
  } finally {
    await connection.close();
  }
};

const inFolder = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return files.flatMap((content) =>
    content.split('\n').flatMap((line) => [line, readable(Buffer.from(line, 'base64'))]),
  );
};

/** Where a person can be found, and in how many rows, messages or lines: tables, queues, buffered files, logs and metrics. */
export const tracesOf = async (
  { marks }: Canary,
  stack: Pick<TestStack, 'database' | 'broker' | 'leadSpoolFolder' | 'logsAndMetrics'>,
): Promise<Record<string, number>> => {
  const places = new Map<string, readonly string[]>(await everyRow(stack.database));
  for (const queue of [leadQueue, deadLeadQueue, hintQueue]) places.set(queue, await inQueue(stack.broker.url, queue));
  places.set('files', await inFolder(stack.leadSpoolFolder));
  places.set('logs and metrics', (await stack.logsAndMetrics()).split('\n'));
  const counts: Record<string, number> = {};
  for (const [place, texts] of places) {
    const count = texts.filter((text) => marks.some((mark) => text.toLowerCase().includes(mark))).length;
    if (count > 0) counts[place] = count;
  }
  return counts;
};

const asked = z.object({ id: z.string() });
const performed = z.object({
  state: z.literal('done'),
  receipt: z
    .string()
    .transform((text) =>
      z.looseObject({ notReached: z.array(z.object({ what: z.string() })) }).parse(JSON.parse(text)),
    ),
});

const api = async ({ apiUrl }: TestStack, { key }: Partner, path: string, body?: string, type = 'application/json') => {
  const response = await fetch(apiUrl + path, {
    headers: { 'x-api-key': key, 'content-type': type },
    ...(body !== undefined && { method: 'POST', body }),
  });
  expect(response.ok, `${path}: ${response.status}`).toBe(true);
  return response.json();
};

/** Registers the person in every way: as a client with sales, in files and in a list. */
const registerEverywhere = async (stack: TestStack, partner: Partner, canary: Canary, leadReference: string) => {
  const { name, email, phoneNumber, externalReference } = canary;
  const send = (path: string, body: unknown) => api(stack, partner, path, JSON.stringify(body));
  await send('/client', { leadReference, name, email, phoneNumber, externalReference });
  const sale = { amount: 10, currency: 'USD', conversionExternalReference: 'order-1' };
  await send('/client/conversion', { ...sale, clientExternalReference: externalReference });
  await send('/client/conversion', { ...sale, email, conversionExternalReference: 'order-2' });
  await send('/client/conversion/adjustment', { conversionExternalReference: 'order-1', kind: 'restate', amount: 5 });
  const file = `leadReference,name,email,phoneNumber,externalReference\n${[leadReference, name, email, phoneNumber, `${externalReference}-2`].join()}\n`;
  for (const query of ['of=client', 'of=client&dryRun=true']) {
    const { id } = z.object({ id: z.number() }).parse(await api(stack, partner, `/import?${query}`, file, 'text/csv'));
    await eventually(async () => expect(await api(stack, partner, `/import/${id}`)).toMatchObject({ state: 'done' }));
  }
  const items = [{ ...sale, email, clientExternalReference: externalReference }];
  const days = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const list = z
    .object({ id: z.number() })
    .parse(await send(`/reconciliation?from=${days}&to=${new Date().toISOString().slice(0, 10)}`, { items }));
  await eventually(async () =>
    expect(await api(stack, partner, `/reconciliation/${list.id}`)).toMatchObject({ state: 'done' }),
  );
};

/** Lets shops send orders of the person: each names it in another way, one counts, and one is not worked on. */
const orderEverywhere = async (stack: TestStack, { account }: Partner, canary: Canary, leadReference: string) => {
  const { pool } = stack.database;
  const add = () =>
    createSource(pool, secretsKeys, {
      actor: 'test',
      accountId: account.id,
      kind: 'webhook',
      isTest: false,
      content: {},
    });
  const send = async ({ path, secret = '' }: Awaited<ReturnType<typeof add>>, message: object) => {
    const body = JSON.stringify(message);
    const signed = signedHeaders({ secret }, { id: crypto.randomUUID(), body, nowMs: Date.now() });
    const url = stack.apiUrl.replace('/api/v1', `/source/${path}`);
    const headers = { 'content-type': 'application/json', ...signed };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
  };
  const [open, paused] = [await add(), await add()];
  await pauseSource(pool, { actor: 'test', id: paused.id });
  const sale = { amount: 10, currency: 'USD', status: 'paid' };
  await send(open, { ...sale, orderId: 'shop-1', email: canary.email.toUpperCase(), leadReference, name: canary.name });
  await send(open, { ...sale, orderId: 'shop-2', phone: canary.phoneNumber, name: canary.name });
  await send(open, { orderId: 'shop-3', note: `of ${canary.name}, serviceId=${leadReference}` });
  await send(paused, { ...sale, orderId: 'shop-4', email: canary.email });
  await eventually(async () => {
    const { rows } = await pool.query('select 1 from source_event where source_id = $1 and finished_at is null', [
      open.id,
    ]);
    expect(rows).toEqual([]);
  });
};

const deadLetter = async (url: string, content: Buffer): Promise<void> => {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  channel.sendToQueue(deadLeadQueue, content, { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
};

it('nothing is left of an erased person in any table, queue, file or log', async () => {
  await using stack = await givenStack();
  await using toDatabase = await tcpProxy(stack.database.url);
  await using toBroker = await tcpProxy(stack.broker.url);
  await using front = await givenPlatformFront(stack.sandbox.url);
  await using receiver = await givenServer((_request, response) => void response.writeHead(204).end());
  const partner = await givenPartner(stack);
  const { account } = partner;
  await givenWebhook(stack.database.em(), { account, url: receiver.url });
  const page = await givenLandingPage(stack.database.em(), { account, askedFields: ['name', 'email', 'phone'] });
  const canary = givenCanary();
  // a platform that repeats in its refusal what it was sent
  front.play(partner.pixelId, () => ({
    status: 400,
    body: {
      error: { message: `cannot use ${canary.userAgent} of ${canary.ipAddress}`, code: 100, type: 'OAuthException' },
    },
  }));
  await stack.start('landing', {
    databaseUrl: toDatabase.url,
    amqpUrl: toBroker.url,
    settings: { TRUST_PROXY: '1' },
  });
  await stack.start('api');
  await stack.start('feedback-worker', { platformUrl: front.url, settings: { WEBHOOKS_ALLOW_LOOPBACK: 'true' } });

  const visit = () => visitAs(canary, `${stack.landingUrl}/${page.slug}`);
  const reference = await visit();
  await registerEverywhere(stack, partner, canary, reference);
  await orderEverywhere(stack, partner, canary, reference);
  await eventually(async () =>
    expect(await stack.database.em().count(Delivery, { account, state: 'pending', adjustment: null })).toBe(0),
  );
  toDatabase.cut();
  const buffered = [await visit()];
  toBroker.cut();
  buffered.push(await visit());
  const dead = bufferedLead({
    accountId: account.id,
    landingPageId: page.id,
    email: canary.email,
    ipAddress: canary.ipAddress,
    visitedAt: new Date().toISOString(),
  });
  await deadLetter(stack.broker.url, encryptLead(bufferedLeadKeys(secretsKeys), dead));
  expect(await tracesOf(canary, stack)).toEqual({
    // an encrypted client still has its reference, an encrypted lead the click ids
    client: 2,
    lead: 1,
    import_row: 2,
    reconciliation_row: 1,
    'messages of sources': 4,
    'lead.waiting.v1': 1,
    'lead.dead.v1': 1,
    files: 1,
  });

  const body = JSON.stringify({ email: canary.email });
  const { id } = asked.parse(await api(stack, partner, '/client/erasure', body));
  const read = () => api(stack, partner, `/client/erasure/${id}`);
  await eventually(async () => expect(await read()).toMatchObject({ state: 'done' }));
  const { receipt } = performed.parse(await read());
  expect(receipt.notReached.map(({ what }) => what)).toEqual(['backups', 'platforms']);
  expect(await tracesOf(canary, stack)).toEqual({ 'lead.waiting.v1': 1, 'lead.dead.v1': 1, files: 1 });

  await Promise.all([toDatabase.heal(), toBroker.heal()]);
  await replayDeadLeads(stack.broker.url);
  const references = [...buffered, dead.reference];
  await eventually(async () =>
    expect(await stack.database.em().count(Lead, { reference: { $in: references } })).toBe(3),
  );
  await eventually(async () => expect(await tracesOf(canary, stack)).toEqual({}));
  for (const table of ['lead', 'client', 'reconciliation_row']) {
    const { rows } = await stack.database.pool.query(
      `select contact from ${table} where account_id = $1 and contact is not null`,
      [account.id],
    );
    expect(rows).toEqual([]);
  }
});
