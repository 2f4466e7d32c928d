import { matchKeysOf, type MatchKey, type PlatformName, platformNames } from '@leadback/domain';
import type { Conversion } from '@leadback/db';
import { readQuality } from '@leadback/core/quality/quality';
import { givenAccount, givenConnection, givenConversion, givenDelivery } from '@leadback/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker } from './given-worker.ts';

const text = z.string().optional();
const listed = z.array(z.string()).optional();
const metaSchema = z.object({
  user_data: z.object({
    fbc: text,
    fbp: text,
    em: listed,
    ph: listed,
    client_ip_address: text,
    client_user_agent: text,
    external_id: listed,
  }),
});
const googleSchema = z.object({
  adIdentifiers: z.object({ gclid: text, gbraid: text, wbraid: text }).default({}),
  userData: z.object({ userIdentifiers: z.array(z.record(z.string(), z.string())) }).default({ userIdentifiers: [] }),
});
const tiktokSchema = z.object({
  user: z.object({ ttclid: text, ttp: text, email: text, phone: text, ip: text, user_agent: text, external_id: text }),
});
const linkedinSchema = z.object({ user: z.object({ userIds: z.array(z.object({ idType: z.string() })) }) });
const microsoftSchema = z.object({ MicrosoftClickId: text, HashedEmailAddress: text, HashedPhoneNumber: text });

/** Reads which keys a platform received. Of external ids, it cannot tell ours from the account's own: see `givenIds`. */
const received: Record<PlatformName, (event: unknown) => Partial<Record<MatchKey, unknown>>> = {
  meta(event) {
    const { user_data: user } = metaSchema.parse(event);
    const ipAndUserAgent = user.client_ip_address && user.client_user_agent;
    return { fbclid: user.fbc, fbp: user.fbp, email: user.em, phone: user.ph, ipAndUserAgent };
  },
  google(event) {
    const { adIdentifiers, userData } = googleSchema.parse(event);
    const has = (name: string) => userData.userIdentifiers.find((identifier) => identifier[name]);
    return { ...adIdentifiers, email: has('emailAddress'), phone: has('phoneNumber') };
  },
  tiktok(event) {
    const { ttclid, ttp, email, phone, ip, user_agent: userAgent } = tiktokSchema.parse(event).user;
    return { ttclid, ttp, email, phone, ipAndUserAgent: ip && userAgent };
  },
  linkedin(event) {
    const { userIds } = linkedinSchema.parse(event).user;
    const has = (type: string) => userIds.find(({ idType }) => idType === type);
    return {
      li_fat_id: has('LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID'),
      email: has('SHA256_EMAIL'),
      ipAddress: has('SHA256_IP_ADDRESS'),
    };
  },
  microsoft(event) {
    const {
      MicrosoftClickId: msclkid,
      HashedEmailAddress: email,
      HashedPhoneNumber: phone,
    } = microsoftSchema.parse(event);
    return { msclkid, email, phone };
  },
};

type Client = NonNullable<NonNullable<Parameters<typeof givenConversion>[1]>['client']>;

const browser = { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0', landingUrl: 'https://landing.example/offer' };
const clients: readonly Client[] = [
  { email: 'ana@x.example' },
  { email: 'eva@x.example', phoneNumber: '+54 11 2345-6789', externalReference: 'c-2', lead: browser },
  {
    phoneNumber: '123',
    lead: { ...browser, clickParameters: { gclid: 'CjwK', ttclid: 'E.C.P.Cr', _fbp: 'fb.1.2.x' } },
  },
  { phoneNumber: '011 2345-6780', lead: { clickParameters: { gbraid: 'CjkK', fbclid: 'IwAR', _ttp: '2Lx3_kCf' } } },
  { lead: { clickParameters: { li_fat_id: 'df5gf5-gh6t7', msclkid: 'f894f652ea334e739002f7167ab8f8e3' } } },
  { email: 'zoe@x.example', lead: { ...browser, consent: false } },
  {},
];

const eventsSchema = z.array(z.object({ platform: z.enum(platformNames), event: z.unknown() }));
const places = (share: number) => Math.round(share * 10_000) / 10_000;

it('counts for each platform the keys that it received', async () => {
  await using worker = await givenWorker();
  const em = () => worker.database.em();
  const account = await givenAccount(em());
  const conversions: Conversion[] = [];
  for (const client of clients) conversions.push(await givenConversion(em(), { account, client }));
  const test = await givenConversion(em(), { account, isTest: true, client: { email: 'test@x.example' } });
  const sent: number[] = [];
  for (const platform of platformNames) {
    const connection = await givenConnection(em(), { account, platform });
    for (const conversion of [...conversions, test]) {
      sent.push((await givenDelivery(em(), { connection, conversion })).id);
    }
  }
  await worker.deliver(sent);

  const events = eventsSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json());
  const days = { from: '2020-01-01', to: '2100-01-01' };
  const report = await readQuality(worker.database.pool, { accountId: account.id, isTest: false }, days);
  expect(report.map(({ platform }) => platform)).toEqual(platformNames);
  for (const { platform, conversions: counted, delivered, skipped, failed, keys } of report) {
    const own = events.filter((event) => event.platform === platform).map(({ event }) => received[platform](event));
    expect([platform, counted, delivered]).toEqual([platform, clients.length, own.length]);
    expect(failed).toEqual({});
    expect(Object.values(skipped).reduce((sum, count) => sum + count, 0)).toBe(clients.length - own.length);
    expect(skipped['consent']).toBe(1);
    const shares = matchKeysOf(platform).map((key) => [key, places(own.filter((one) => one[key]).length / counted)]);
    // the account gave one client an id of its own
    const givenIds = matchKeysOf(platform).includes('externalId') ? { externalId: places(1 / counted) } : {};
    expect([platform, keys]).toEqual([platform, { ...Object.fromEntries(shares), ...givenIds }]);
  }
  expect(events.length).toBeGreaterThan(15);
});
