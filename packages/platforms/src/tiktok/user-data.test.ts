import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { fullNames, googlePhoneHashes, metaExternalIds, tiktokEmails } from '../../test/identifier-vectors.ts';
import { tiktokUserData } from './event.ts';

const someone = { email: 'ana@example.com' };
const click = { clickParameters: { ttclid: 'E.C.P.CroBXpgj~_y-A=' } };

describe("TikTok's user data", () => {
  it.each(tiktokEmails)("TikTok's email has the hash of %j", (email, hash) => {
    expect(tiktokUserData(givenConversion({ client: { email }, lead: click }))?.['email']).toBe(hash ?? undefined);
  });

  it.each(googlePhoneHashes)("TikTok's phone has the hash of %s, with its plus", (phoneNumber, hash) => {
    expect(tiktokUserData(givenConversion({ client: { phoneNumber } }))?.['phone']).toBe(hash);
  });

  it("TikTok's phone has an Argentine number in its mobile form, because TikTok accepts one form only", () => {
    const userData = tiktokUserData(givenConversion({ client: { phoneNumber: '11 2345-6789' } }));
    expect(userData?.['phone']).toBe('790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c');
  });

  it.each(fullNames)("TikTok's first_name and last_name have the hashes of %j", (name, first, rest) => {
    const userData = tiktokUserData(givenConversion({ client: { ...someone, name } }));
    expect([userData?.['first_name'], userData?.['last_name']]).toEqual([first ?? undefined, rest ?? undefined]);
  });

  it.each(metaExternalIds)("TikTok's external_id has the hash of %j", (externalReference, hash) => {
    const userData = tiktokUserData(givenConversion({ client: { ...someone, externalReference } }));
    const ownId = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';
    expect(userData?.['external_id']).toBe(hash ?? ownId);
  });

  it("TikTok's user data has the click and the browser unhashed", () => {
    const lead = { ...click, ipAddress: '2001:db8::1', userAgent: ' Mozilla/5.0 ' };
    expect(tiktokUserData(givenConversion({ lead }))).toMatchObject({
      ttclid: 'E.C.P.CroBXpgj~_y-A=',
      ip: '2001:db8::1',
      user_agent: 'Mozilla/5.0',
    });
  });

  it.each([
    ['an invalid IP address', { ipAddress: '203.0.113.7, 10.0.0.1' }, 'ip'],
    ['an empty user agent', { userAgent: ' ' }, 'user_agent'],
    ['the address of a proxy', { ipAddress: '192.168.1.1' }, 'ip'],
    ['a malformed browser id', { clickParameters: { _ttp: 'a b' } }, 'ttp'],
    ['any language', { acceptLanguage: '*' }, 'locale'],
    ['an invalid language', { acceptLanguage: 'hello' }, 'locale'],
    ['a malformed click id', { clickParameters: { ttclid: 'E.C P' } }, 'ttclid'],
    ['a click id that is too short', { clickParameters: { ttclid: 'E.C' } }, 'ttclid'],
    ['a click id that is too long', { clickParameters: { ttclid: 'E'.repeat(1001) } }, 'ttclid'],
  ])("TikTok's user data leaves out %s", (_name, lead, field) => {
    expect(tiktokUserData(givenConversion({ client: someone, lead }))).not.toHaveProperty(field);
  });

  it.each([
    ['an email', { client: someone }],
    ['a phone number', { client: { phoneNumber: '+5491123456789' } }],
    ["the account's own reference", { client: { externalReference: 'c-1' } }],
    ['a click', { lead: click }],
    ["the browser's id", { lead: { clickParameters: { _ttp: '2Lx3_kCfVb9MGzCzb0LbCfYPq1n' } } }],
  ])('TikTok can match a client by %s', (_name, given) => {
    expect(tiktokUserData(givenConversion(given))).toBeDefined();
  });

  it.each([
    ['a name alone', { client: { name: 'Ana Pérez' } }],
    ['a browser alone', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
    ["another platform's click", { lead: { clickParameters: { fbclid: 'IwAR', gclid: 'CjwK' } } }],
    ['invalid contact data', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('TikTok cannot match a client by %s', (_name, given) => {
    expect(tiktokUserData(givenConversion(given))).toBeUndefined();
  });
});
