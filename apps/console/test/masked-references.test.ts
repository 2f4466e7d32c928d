import { sendTestToWebhook } from '@leadback/core/delivery/test-webhook';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  givenWebhook,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findReply, storyReply } from '../src/contract/find.ts';
import { resultRowsReply } from '../src/contract/imports.ts';
import type { ShownReference } from '../src/contract/values.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { personalData } from '../src/personal-data.ts';
import { type Sample, samples } from './access-samples.ts';
import { givenConsole, type SignedIn, type TestConsole } from './given-console.ts';
import { filesOf } from './given-files.ts';

const email = 'ana.garcia@zapatos.example';
const phone = '+5491155550199';
const lowRoles = ['marketer', 'partner-viewer'] as const;
const texts = [email, phone, 'ana.garcia', '91155550'];

describe('references of partners that are an email or a phone number', () => {
  let console: TestConsole;
  let account: number;
  let ids: Readonly<Record<string, number>>;
  const people = new Map<string, SignedIn>();
  const personOf = (role: string) => z.custom<SignedIn>().parse(people.get(role));
  const path = (rest: string) => `/api/accounts/${account}/${rest}`;

  beforeAll(async () => {
    console = await givenConsole();
    const em = console.database.em();
    const of = await givenAccount(em);
    account = of.id;
    for (const role of [...lowRoles, 'partner-admin'] as const)
      people.set(role, await console.person({ role, accounts: [account] }));
    const conversion = await givenConversion(em, { account: of, client: { externalReference: email } });
    await console.database.pool.query('update conversion set external_reference = $2 where id = $1', [
      conversion.id,
      phone,
    ]);
    const connection = await givenConnection(em, { account: of });
    const delivery = await givenDelivery(em, { connection, conversion, state: 'failed' });
    const files = filesOf(console, personOf('partner-admin'), account);
    const imported = await files.tried(
      `clientExternalReference,conversionExternalReference,amount,currency\nnobody@zapatos.example,${phone},1,USD\n`,
    );
    const list = await files.compared(
      `conversionExternalReference,amount,currency\n${phone},10.00,USD\n${email},10.00,USD\n`,
      'from=2026-10-01&to=2026-11-29',
    );
    const webhook = await givenWebhook(em, { account: of });
    ids = {
      delivery: delivery.id,
      connection: connection.id,
      client: conversion.client.id,
      conversion: conversion.id,
      dryRun: imported.id,
      list: list.id,
      webhook: webhook.id,
      webhookDelivery: z.number().parse(await sendTestToWebhook(em, { id: webhook.id, accountId: account })),
      page: (await givenLandingPage(em, { account: of })).id,
    };
  });
  afterAll(() => console[Symbol.asyncDispose]());

  const withAccount = endpoints.filter((one) => one.path.includes(':account'));
  it.each(lowRoles)('are in no reply that a %s gets from any endpoint', async (role) => {
    const person = personOf(role);
    const seen: string[] = [];
    for (const { method, path: pattern } of withAccount) {
      const { query = '', body, id, csv } = z.custom<Sample>().parse(samples[`${method} ${pattern}`]);
      const given = z.custom<Parameters<NonNullable<Sample['body']>>[0]>().parse(ids);
      const asked = `/api${pattern.replace(':account', String(account)).replace(':id', String(id ? ids[id] : ''))}`;
      const url = `${asked}${typeof query === 'string' ? query : query(given)}`;
      const send = () => {
        if (method === 'get') return person.get(url);
        return csv === undefined ? person.post(asked, body?.(given) ?? {}) : person.upload(url, csv);
      };
      const { text } = await send();
      for (const secret of texts) if (text.includes(secret)) seen.push(`${method} ${pattern}: ${secret}`);
    }
    const { client = 0, conversion = 0, dryRun = 0, list = 0 } = ids;
    const others = [
      `story?client=${client}`,
      `story?conversion=${conversion}`,
      `deliveries?conversion=${conversion}`,
      ...['created', 'existing', 'refused', 'differs'].map((outcome) => `imports/${dryRun}/rows?outcome=${outcome}`),
      `reconciliations/${list}/rows`,
    ];
    for (const rest of others) {
      const { text } = await person.get(path(rest));
      for (const secret of texts) if (text.includes(secret)) seen.push(`${rest}: ${secret}`);
    }
    const { text } = await person.post(path('find'), { text: String(conversion) });
    for (const secret of texts) if (text.includes(secret)) seen.push(`find: ${secret}`);
    expect(seen).toEqual([]);
  });

  it.each(lowRoles)('keep two characters of each end for a %s, with our ids beside them', async (role) => {
    const person = personOf(role);
    const { matches } = findReply.parse((await person.post(path('find'), { text: String(ids['conversion']) })).body);
    expect(matches[0]).toMatchObject({
      clientReference: 'an•••le',
      conversionReference: '+5•••99',
      conversionId: ids['conversion'],
    });
    const { clients } = storyReply.parse((await person.get(path(`story?client=${ids['client']}`))).body);
    expect(clients[0]).toMatchObject({ externalReference: 'an•••le', conversions: [{ externalReference: '+5•••99' }] });
  });

  it('are shown in full to roles that see personal data', async () => {
    const person = personOf('partner-admin');
    const { clients } = storyReply.parse((await person.get(path(`story?client=${ids['client']}`))).body);
    expect(clients[0]).toMatchObject({ externalReference: email, conversions: [{ externalReference: phone }] });
    const told = await person.get(path(`imports/${ids['dryRun']}/rows?outcome=not_from_an_ad`));
    expect(resultRowsReply.parse(told.body).items[0]?.reference).toBe(phone);
  });

  it.each(lowRoles)('are not found by a %s, whose search does not say who is a customer', async (role) => {
    for (const text of [email, 'nobody@zapatos.example', phone]) {
      const reply = await personOf(role).post(path('find'), { text });
      expect([reply.status, reply.headers.get('leadback-error')]).toEqual([403, 'role-forbids']);
    }
    expect((await personOf('partner-admin').post(path('find'), { text: email })).status).toBe(200);
  });

  it('are told from references that name no person, and masked in messages', () => {
    const { reference, message } = personalData(false);
    expect([reference('order-191'), reference('order-2026-1234'), reference(null)]).toEqual([
      'order-191',
      'or•••34',
      null,
    ]);
    expect(message(`conversion "${phone}" of ${email} is unknown`)).toBe('conversion "+5•••99" of an•••le is unknown');
    // @ts-expect-error a plain text is no reference that a view may send
    const plain: ShownReference = email;
    expect(plain).toBe(email);
  });
});
