import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenConversion, now } from '../../test/given-conversion.ts';
import { fullNames, metaEmails, metaExternalIds, metaPhoneHashes } from '../../test/identifier-vectors.ts';
import { metaUserData } from './event.ts';

const someone = { email: 'ana@example.com' };
const phOf = (phoneNumber: string) => metaUserData(givenConversion({ client: { phoneNumber } }))?.['ph'];
const ownIdIn = (installationId: string) =>
  metaUserData(givenConversion({ client: someone, installationId }))?.['external_id'];
const listOf = (hash: string | null) => (hash === null ? undefined : [hash]);

describe("Meta's user data", () => {
  it.each(metaEmails)("Meta's em has the normalized hash of %j", (email, hash) => {
    const conversion = givenConversion({ client: { email, phoneNumber: '+5491123456789' } });
    expect(metaUserData(conversion)?.['em']).toEqual(listOf(hash));
  });

  it.each(metaPhoneHashes)("Meta's ph has the hash of %s", (phoneNumber, hash) => {
    const { ph } = z
      .object({ ph: z.array(z.string()) })
      .parse(metaUserData(givenConversion({ client: { phoneNumber } })));
    expect(ph[0]).toBe(hash);
  });

  it("Meta's ph has an Argentine number with and without the 9 of mobiles, as written first", () => {
    const withNine = 'e9a22549bbbbccb976d0c751b7e5ea194ae62fa6a6f1ba97e9e9940441acde71';
    const withoutNine = '097693224047d8d90c77c6432c41936b842671ec532d02df822bc4a238eaaa3b';
    expect(phOf('+54 9 11 2345-6789')).toEqual([withNine, withoutNine]);
    expect(phOf('+54 11 2345-6789')).toEqual([withoutNine, withNine]);
    expect(phOf('+1 650 555 1212')).toEqual(['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176']);
  });

  it('reads a name with a comma as last name, first name for Meta', () => {
    const userData = metaUserData(givenConversion({ client: { ...someone, name: 'García López, Ana' } }));
    expect(userData).toMatchObject({
      fn: ['24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac'],
      ln: ['ad1e862a35683ea9f2ec848c253db99ebe974aa2bc945216c32d8626d08a2526'],
    });
  });

  it("Meta's external_id without a reference differs between installations and is not the hash of a bare number", () => {
    const [one, other] = [
      ownIdIn('5f0c2f3e-6d0f-4c60-9d3f-0a3c5b8f7e11'),
      ownIdIn('11111111-6d0f-4c60-9d3f-0a3c5b8f7e11'),
    ];
    expect(one).toEqual(['0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe']);
    expect(other).not.toEqual(one);
    expect(one).not.toEqual(['7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451']);
  });

  it.each(fullNames)("Meta's fn and ln have the hashes of %j", (name, first, rest) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, name } }));
    expect([userData?.['fn'], userData?.['ln']]).toEqual([listOf(first), listOf(rest)]);
  });

  it.each(metaExternalIds)("Meta's external_id has the hash of %j", (externalReference, hash) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, externalReference } }));
    const ownId = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';
    expect(userData?.['external_id']).toEqual([hash ?? ownId]);
  });

  it("Meta's user data has the browser unhashed", () => {
    const lead = {
      ipAddress: '2001:db8::1',
      userAgent: ' Mozilla/5.0 ',
      clickParameters: { _fbp: 'fb.1.1558571054389.1098115397' },
    };
    expect(metaUserData(givenConversion({ lead }))).toMatchObject({
      client_ip_address: '2001:db8::1',
      client_user_agent: 'Mozilla/5.0',
      fbp: 'fb.1.1558571054389.1098115397',
    });
  });

  it.each([
    'fb.0.1558571054389.1',
    'fb.2.1558571054389.12345678901234567890',
    'fb.1.1558571054389.1098115397.AQYBAgAB',
  ])("Meta's user data has the browser id %s unchanged", (_fbp) => {
    expect(metaUserData(givenConversion({ lead: { clickParameters: { _fbp } } }))).toHaveProperty('fbp', _fbp);
  });

  it.each([
    ['an invalid IP address', { ipAddress: '203.0.113.7, 10.0.0.1' }, 'client_ip_address'],
    ['an empty user agent', { userAgent: ' ' }, 'client_user_agent'],
    ['the address of a proxy', { ipAddress: '10.0.0.5' }, 'client_ip_address'],
    ['a malformed fbp', { clickParameters: { _fbp: 'GA1.2.3' } }, 'fbp'],
    ['an fbp without its number', { clickParameters: { _fbp: 'fb.1.1558571054389.x' } }, 'fbp'],
    ['an fbp in seconds', { clickParameters: { _fbp: 'fb.1.1558571054.1098115397' } }, 'fbp'],
    ['an fbp in microseconds', { clickParameters: { _fbp: 'fb.1.1558571054389000.1098115397' } }, 'fbp'],
    ['an fbp with too long a number', { clickParameters: { _fbp: `fb.1.1558571054389.${'1'.repeat(21)}` } }, 'fbp'],
    ['an fbp with too long an appendix', { clickParameters: { _fbp: 'fb.1.1558571054389.1098.AQYBAgABx' } }, 'fbp'],
    ['a malformed click id', { clickParameters: { fbclid: 'a b' } }, 'fbc'],
    [
      'a click of more than 90 days ago',
      { clickParameters: { fbclid: 'a' }, createdAt: new Date(now - 91 * 86_400_000) },
      'fbc',
    ],
  ])("Meta's user data leaves out %s", (_name, lead, field) => {
    expect(metaUserData(givenConversion({ client: someone, lead }))).not.toHaveProperty(field);
  });

  it.each([
    ['an email', { client: someone }],
    ["the account's own reference", { client: { externalReference: 'c-1' } }],
    ['a click', { lead: { clickParameters: { fbclid: 'a' } } }],
    ['a browser', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
  ])('Meta can match a client by %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeDefined();
  });

  it.each([
    ['a name alone', { client: { name: 'Ana Pérez' } }],
    ['an IP address alone', { lead: { ipAddress: '203.0.113.7' } }],
    ['a browser behind a private address', { lead: { ipAddress: '10.0.0.5', userAgent: 'Mozilla/5.0' } }],
    ["another platform's click", { lead: { clickParameters: { gclid: 'a' } } }],
    ['invalid contact data', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('Meta cannot match a client by %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeUndefined();
  });
});
