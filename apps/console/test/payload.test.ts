import type { Account } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import {
  givenAccount,
  givenAdjustment,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenWebhook,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { previewPayloadReply } from '../src/contract/deliveries.ts';
import { givenConsole } from './given-console.ts';

describe('the payload of a delivery in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const em = () => console.database.em();
  const read = (id: number) => person.get(`/api/accounts/${account.id}/deliveries/${id}/payload`);
  const preview = async (id: number) => previewPayloadReply.parse((await read(id)).body);

  const lead = {
    clickParameters: {
      gclid: 'gclid-canary-1',
      fbclid: 'fbclid-canary-1',
      ttclid: 'ttclid-canary-1',
      msclkid: 'abcdef0123456789abcdef0123456789',
      li_fat_id: 'li-canary-1',
      _fbp: 'fb.1.1700000000000.1234567890',
    },
    userAgent: 'Mozilla/5.0 canary',
    ipAddress: '203.0.113.77',
    landingUrl: 'https://landing.example/oferta?gclid=gclid-canary-1&who=canary',
    consent: true,
    consentScope: 'sharing',
  } as const;
  const client = {
    name: 'Canary Pérez',
    email: 'canary@example.com',
    phoneNumber: '+54 11 5555 0199',
    externalReference: 'customer canary',
    lead,
  };
  const canaries = ['canary', 'pérez', '203.0.113.77', '0199', 'abcdef0123456789abcdef', '1234567890', 'mozilla'];

  it.each(platformNames)('is what %s would be told, without a word of who it is about', async (platform) => {
    const connection = await givenConnection(em(), { account, platform });
    const conversion = await givenConversion(em(), { account, amount: '149.90', client });
    const { id } = await givenDelivery(em(), { connection, conversion, state: 'delivered' });
    const { text, body } = await read(id);
    expect(previewPayloadReply.parse(body)).toMatchObject({ kind: 'event', isTest: false, held: null });
    const plain = text.toLowerCase();
    expect(canaries.filter((canary) => plain.includes(canary))).toEqual([]);
    expect(plain).not.toMatch(/[0-9a-f]{40}/);
    expect(plain).toContain('149.9');
  });

  it('keeps what is not personal, and the beginning of what is', async () => {
    const connection = await givenConnection(em(), { account });
    const conversion = await givenConversion(em(), { account, amount: '149.90', eventId: 'event-7', client });
    const { id } = await givenDelivery(em(), { connection, conversion });
    expect(await preview(id)).toMatchObject({
      event: {
        event_id: 'event-7',
        event_source_url: 'https://landing.example/oferta',
        custom_data: { value: 149.9, currency: 'USD' },
        user_data: { em: [expect.stringMatching(/^[0-9a-f]{4}…$/)], client_ip_address: '203.…', fbc: 'fb.1…' },
      },
    });
  });

  it('says why there is none', async () => {
    const connection = await givenConnection(em(), { account });
    const unknown = await givenDelivery(em(), { connection, conversion: await givenConversion(em(), { account }) });
    expect(await preview(unknown.id)).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
    const future = new Date(Date.now() + 3_600_000);
    const later = await givenConversion(em(), { account, client: { email: 'b@example.com' }, occurredAt: future });
    const early = await givenDelivery(em(), { connection, conversion: later });
    expect(await preview(early.id)).toEqual({ kind: 'early', at: future.toISOString() });
  });

  it('says why an adjustment would not be sent now', async () => {
    const connection = await givenConnection(em(), { account, platform: 'google' });
    const conversion = await givenConversion(em(), { account, client });
    await givenDelivery(em(), { connection, conversion, state: 'failed' });
    const adjustment = await givenAdjustment(em(), { conversion, kind: 'restate', amount: '5.00' });
    const { id } = await givenDelivery(em(), { connection, adjustment });
    expect(await preview(id)).toMatchObject({ kind: 'event', held: 'original_not_delivered' });
  });

  it('names settings that do not fit, and never what is in them or in the credentials', async () => {
    const conversion = await givenConversion(em(), { account, client });
    const wrong = await givenConnection(em(), { account, settings: { pixelId: 'secret canary' } });
    const { id } = await givenDelivery(em(), { connection: wrong, conversion });
    const { text } = await read(id);
    expect(text).toContain('settings_do_not_fit: ');
    expect(text).not.toContain('canary');
    const lost = await givenConnection(em(), { account });
    await console.database.pool.query(`update platform_connection set credentials = '\\x00' where id = $1`, [lost.id]);
    const other = await givenDelivery(em(), { connection: lost, conversion });
    expect(await preview(other.id)).toMatchObject({ kind: 'unusable', reason: expect.stringContaining('SECRETS_KEY') });
  });

  it('is not that of a webhook or of another account', async () => {
    const webhook = await givenWebhook(em(), { account });
    const conversion = await givenConversion(em(), { account, client });
    const ofWebhook = await givenDelivery(em(), { connection: webhook, conversion });
    expect((await read(ofWebhook.id)).status).toBe(404);
    const connection = await givenConnection(em(), { account });
    const { id } = await givenDelivery(em(), { connection, conversion });
    account = await givenAccount(em());
    expect((await read(id)).status).toBe(404);
  });
});
