import { describe, expect, it } from 'vitest';
import { givenConversion, now } from '../../test/given-conversion.ts';
import { fullNames, metaEmails, metaExternalIds, metaPhoneHashes } from '../../test/identifier-vectors.ts';
import { metaUserData } from './user-data.ts';

const someone = { email: 'ana@example.com' };
const listOf = (hash: string | null) => (hash === null ? undefined : [hash]);

describe("Meta's user data", () => {
  it.each(metaEmails)('em of %j', (email, hash) => {
    const conversion = givenConversion({ client: { email, phoneNumber: '+5491123456789' } });
    expect(metaUserData(conversion)?.['em']).toEqual(listOf(hash));
  });

  it.each(metaPhoneHashes)('ph of %s', (phoneNumber, hash) => {
    expect(metaUserData(givenConversion({ client: { phoneNumber } }))?.['ph']).toEqual(listOf(hash));
  });

  it.each(fullNames)('fn and ln of %j', (name, first, rest) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, name } }));
    expect([userData?.['fn'], userData?.['ln']]).toEqual([listOf(first), listOf(rest)]);
  });

  it.each(metaExternalIds)('external_id of %j', (externalReference, hash) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, externalReference } }));
    const ownId = '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451';
    expect(userData?.['external_id']).toEqual([hash ?? ownId]);
  });

  it('carries the browser as it is', () => {
    const lead = {
      ipAddress: '2001:db8::1',
      userAgent: ' Mozilla/5.0 ',
      clickMarks: { _fbp: 'fb.1.1558571054389.1098115397' },
    };
    expect(metaUserData(givenConversion({ lead }))).toMatchObject({
      client_ip_address: '2001:db8::1',
      client_user_agent: 'Mozilla/5.0',
      fbp: 'fb.1.1558571054389.1098115397',
    });
  });

  it.each([
    ['an IP address that is none', { ipAddress: '203.0.113.7, 10.0.0.1' }, 'client_ip_address'],
    ['an empty user agent', { userAgent: ' ' }, 'client_user_agent'],
    ['a garbled fbp', { clickMarks: { _fbp: 'GA1.2.3' } }, 'fbp'],
    ['a garbled click id', { clickMarks: { fbclid: 'a b' } }, 'fbc'],
    [
      'a click of more than 90 days ago',
      { clickMarks: { fbclid: 'a' }, createdAt: new Date(now - 91 * 86_400_000) },
      'fbc',
    ],
  ])('leaves out %s', (_name, lead, field) => {
    expect(metaUserData(givenConversion({ client: someone, lead }))).not.toHaveProperty(field);
  });

  it.each([
    ['an e-mail address', { client: someone }],
    ["the account's own reference", { client: { externalReference: 'c-1' } }],
    ['a click', { lead: { clickMarks: { fbclid: 'a' } } }],
    ['a browser', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
  ])('suffices with %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeDefined();
  });

  it.each([
    ['a name alone', { client: { name: 'Ana Pérez' } }],
    ['an IP address alone', { lead: { ipAddress: '203.0.113.7' } }],
    ["another platform's click", { lead: { clickMarks: { gclid: 'a' } } }],
    ['contact data that are none', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('does not suffice with %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeUndefined();
  });
});
