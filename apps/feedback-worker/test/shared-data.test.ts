import { createHash } from 'node:crypto';
import { Account } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import { givenAccount, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker, type TestWorker } from './given-worker.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const receivedSchema = z.array(z.looseObject({ event: z.record(z.string(), z.unknown()) }));

/** What a visitor entered on the landing page. */
const entered = { name: 'Ana García', email: 'ana@home.example', phone: '+1 650 555 1212' };
const consents = { consent: true, consentScope: 'sharing' } as const;
const refuses = { consent: false, consentScope: 'sharing' } as const;
const unpersonalised = { consent: false, consentScope: 'personalisation' } as const;

/** Told by the advertiser, at a moment. */
const told = (adUserData: boolean, adPersonalization: boolean, at: Date) => ({
  adUserData,
  adUserDataAt: at,
  adPersonalization,
  adPersonalizationAt: at,
});

describe('visitor consent', async () => {
  const worker = await shared(givenWorker());

  type Wanted = NonNullable<Parameters<TestWorker['givenDelivery']>[0]>;

  /** The settled delivery, and the event that the platform received. */
  const deliver = async (platform: (typeof platformNames)[number], wanted: Omit<Wanted, 'connection'>) => {
    await fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
    const { id } = await worker.givenDelivery({ connection: { platform }, ...wanted });
    await worker.deliver([id]);
    const [received] = receivedSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json());
    return { row: await worker.stored(id), event: received?.event };
  };
  const givenMeasuringAccount = async () => {
    const em = worker.database.em();
    const account = await givenAccount(em);
    await em.nativeUpdate(Account, { id: account.id }, { gpcReading: 'measure' });
    return account;
  };

  it('matches a client with only a reference by what the visitor entered with consent', async () => {
    const client = { externalReference: 'customer-1', lead: { ...entered, ...consents } };
    const { event: atMeta } = await deliver('meta', { client });
    expect(atMeta?.['user_data']).toMatchObject({
      em: [sha256('ana@home.example')],
      ph: [sha256('16505551212')],
      fn: [sha256('ana')],
      ln: [sha256('garcía')],
      external_id: [sha256('customer-1')],
    });
    const { row, event: atGoogle } = await deliver('google', { client });
    expect(row).toMatchObject({ state: 'delivered' });
    expect(atGoogle?.['userData']).toEqual({
      userIdentifiers: [{ emailAddress: sha256('ana@home.example') }, { phoneNumber: sha256('+16505551212') }],
    });
    const { event: atTikTok } = await deliver('tiktok', { client });
    expect(atTikTok?.['user']).toMatchObject({
      email: sha256('ana@home.example'),
      phone: sha256('+16505551212'),
      first_name: sha256('ana'),
      last_name: sha256('garcía'),
    });
    const { event: atLinkedIn } = await deliver('linkedin', { client });
    expect(atLinkedIn?.['user']).toEqual({
      userIds: [{ idType: 'SHA256_EMAIL', idValue: sha256('ana@home.example') }],
    });
    const { event: atMicrosoft } = await deliver('microsoft', { client });
    expect(atMicrosoft).toMatchObject({
      HashedEmailAddress: sha256('ana@home.example'),
      HashedPhoneNumber: sha256('+16505551212'),
    });
  });

  it('prefers contact data that the partner registered to what the visitor entered, field by field', async () => {
    const client = { email: 'ana@shop.example', lead: { ...entered, ...consents } };
    const { event } = await deliver('meta', { client });
    expect(event?.['user_data']).toMatchObject({ em: [sha256('ana@shop.example')], ph: [sha256('16505551212')] });
  });

  it.each([
    ['without consent, because the page did not ask', {}],
    ['without consent to personalisation', unpersonalised],
    ['and opted out by Global Privacy Control', { ...consents, globalPrivacyControl: true }],
  ])('what a visitor entered %s is sent to no platform', async (_name, choice) => {
    const client = { externalReference: 'customer-1', lead: { ...entered, ...choice } };
    const { event } = await deliver('meta', { client });
    expect(event?.['user_data']).toEqual({ external_id: [sha256('customer-1')] });
    const { row, event: atGoogle } = await deliver('google', { client });
    expect(row).toMatchObject({ state: 'skipped' });
    expect(atGoogle).toBeUndefined();
  });

  it.each(platformNames)('does not report a conversion to %s if the visitor refused to share', async (platform) => {
    const client = { email: 'ana@x.example', lead: { ...entered, ...refuses } };
    const { row, event } = await deliver(platform, { client });
    expect(row).toMatchObject({ state: 'skipped', reason: 'consent', attempts: 0 });
    expect(event).toBeUndefined();
  });

  it.each(platformNames)('tells %s nothing of a visitor who has withdrawn consent', async (platform) => {
    const lead = { ...entered, ...consents, consentWithdrawnAt: new Date() };
    const { row, event } = await deliver(platform, { client: { email: 'ana@x.example', lead } });
    expect(row).toMatchObject({ state: 'skipped', reason: 'consent_withdrawn', attempts: 0 });
    expect(event).toBeUndefined();
  });

  it('tells Google in both fields of the consent that the advertiser told, and every platform of the sale', async () => {
    for (const platform of platformNames) {
      const client = { email: 'ana@x.example', ...told(true, true, new Date()) };
      const { row, event } = await deliver(platform, { client });
      expect(row).toMatchObject({ state: 'delivered' });
      const consent = { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' };
      expect(event?.['consent']).toEqual(platform === 'google' ? consent : undefined);
    }
  });

  it.each(platformNames)('tells %s nothing of a client of whom the advertiser told a refusal', async (platform) => {
    for (const [reason, at] of [
      ['consent', new Date(Date.now() - 60_000)],
      ['consent_withdrawn', new Date(Date.now() + 1000)],
    ] as const) {
      const client = { email: 'ana@x.example', ...told(false, false, at) };
      const { row, event } = await deliver(platform, { client });
      expect(row).toMatchObject({ state: 'skipped', reason, attempts: 0 });
      expect(event).toBeUndefined();
    }
  });

  it.each([
    ['meta', { opt_out: true, data_processing_options: ['LDU'] }],
    ['google', { consent: { adPersonalization: 'CONSENT_DENIED' } }],
    ['tiktok', { limited_data_use: true }],
  ] as const)(
    "reports to %s that only personalisation was refused, in the platform's own fields",
    async (platform, words) => {
      const { row, event } = await deliver(platform, { client: { email: 'ana@x.example', lead: unpersonalised } });
      expect(row).toMatchObject({ state: 'delivered' });
      expect(event).toMatchObject(words);
      expect(event?.['consent'] ?? {}).not.toHaveProperty('adUserData');
    },
  );

  it.each([
    ['linkedin', { globalPrivacyControl: true }],
    ['linkedin', unpersonalised],
    ['microsoft', { globalPrivacyControl: true }],
    ['microsoft', unpersonalised],
  ] as const)(
    'sends nothing to %s, which cannot limit the use of data, after the choice %j',
    async (platform, choice) => {
      const { row, event } = await deliver(platform, { client: { email: 'ana@x.example', lead: choice } });
      expect(row).toMatchObject({ state: 'skipped', reason: 'consent', attempts: 0 });
      expect(event).toBeUndefined();
    },
  );

  it('reports an opt-out by Global Privacy Control to Meta and TikTok, and sends nothing to Google', async () => {
    const client = { email: 'ana@x.example', lead: { globalPrivacyControl: true } };
    expect(await deliver('meta', { client })).toMatchObject({ event: { opt_out: true } });
    expect(await deliver('tiktok', { client })).toMatchObject({ event: { limited_data_use: true } });
    const { row, event } = await deliver('google', { client });
    expect(row).toMatchObject({ state: 'skipped', reason: 'consent', attempts: 0 });
    expect(event).toBeUndefined();
  });

  it('reports to Google after Global Privacy Control if the account reads it as allowing measurement', async () => {
    const account = await givenMeasuringAccount();
    const client = { email: 'ana@x.example', lead: { globalPrivacyControl: true } };
    const { row, event } = await deliver('google', { account, client });
    expect(row).toMatchObject({ state: 'delivered' });
    expect(event?.['consent']).toEqual({ adPersonalization: 'CONSENT_DENIED' });
  });

  it('matches by what the visitor entered with consent if such an account reads Global Privacy Control', async () => {
    const account = await givenMeasuringAccount();
    const wanted = { account, client: { lead: { ...entered, ...consents, globalPrivacyControl: true } } };
    const { row, event: atGoogle } = await deliver('google', wanted);
    expect(row).toMatchObject({ state: 'delivered' });
    expect(atGoogle?.['consent']).toEqual({ adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' });
    expect(atGoogle?.['userData']).toMatchObject({
      userIdentifiers: [{ emailAddress: sha256('ana@home.example') }, { phoneNumber: sha256('+16505551212') }],
    });
    const { event: atMeta } = await deliver('meta', wanted);
    expect(atMeta).toMatchObject({ opt_out: true, user_data: { em: [sha256('ana@home.example')] } });
    const { event: atTikTok } = await deliver('tiktok', wanted);
    expect(atTikTok).toMatchObject({ limited_data_use: true, user: { email: sha256('ana@home.example') } });
  });
});
