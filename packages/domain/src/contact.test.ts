import { describe, expect, it } from 'vitest';
import { contactToShare, phoneKey, sharingOf } from './contact.ts';

const client = { name: null, email: 'ana@shop.example', phoneNumber: null };
const lead = { name: 'Ana García', email: 'ana@home.example', phoneNumber: '11 2345-6789' };

describe('contact data for the platforms', () => {
  it.each(['granted', 'agreed_unpersonalised'] as const)(
    'takes missing contact fields of the client from the lead if sharing is %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual({ ...lead, email: client.email });
    },
  );

  it.each(['refused', 'opted_out', 'unpersonalised', 'unasked'] as const)(
    'never takes contact data from the lead if sharing is %s',
    (sharing) => {
      expect(contactToShare(client, lead, sharing)).toEqual(client);
    },
  );
});

it.each([
  ['ana@x.example, luis@x.example', 'ana@x.example'],
  ['Ana <ana@x.example>', 'ana@x.example'],
  ['ana @x.example', null],
  ['none', null],
])('shares of the email %j what is an address: %j', (email, shared) => {
  expect(contactToShare({ ...client, email }, { ...lead, email: null }, 'granted').email).toBe(shared);
});

it('takes the email of the visitor who agreed if that of the client is no address', () => {
  expect(contactToShare({ ...client, email: 'none' }, lead, 'granted').email).toBe(lead.email);
});

describe('the key of a phone number', () => {
  it.each(['+54 9 11 2345-6789', '+54 11 2345-6789', '011 2345 6789', '(11) 2345-6789', '0054 9 11 2345 6789'])(
    'is the same for %s as for the other ways to write it',
    (written) => {
      expect(phoneKey(written)).toBe('1123456789');
    },
  );

  it('differs between numbers', () => {
    expect(phoneKey('+1 650 253 0000')).not.toBe(phoneKey('+1 650 253 0001'));
  });

  it.each(['', 'none', '12-34-56'])('does not exist for %j', (written) => {
    expect(phoneKey(written)).toBeUndefined();
  });
});

const choices = {
  consent: null,
  consentScope: null,
  globalPrivacyControl: false,
  gpcReading: 'respect',
  isWithdrawn: false,
} as const;
const gpc = { globalPrivacyControl: true } as const;
const measured = { ...gpc, gpcReading: 'measure' } as const;

describe('what platforms may be told of a lead', () => {
  it.each([
    ['unasked', {}],
    ['withdrawn', { isWithdrawn: true }],
    ['withdrawn', { isWithdrawn: true, consent: true, consentScope: 'sharing', ...measured }],
    ['opted_out', gpc],
    ['unpersonalised', measured],
    ['granted', { consent: true, consentScope: 'sharing' }],
    ['opted_out', { consent: true, consentScope: 'sharing', ...gpc }],
    ['agreed_unpersonalised', { consent: true, consentScope: 'sharing', ...measured }],
    ['agreed_unpersonalised', { consent: true, consentScope: 'personalisation', ...measured }],
    ['agreed_unpersonalised', { consent: true, consentScope: null, ...measured }],
    ['refused', { consent: false, consentScope: 'sharing' }],
    ['refused', { consent: false, consentScope: 'sharing', ...gpc }],
    ['refused', { consent: false, consentScope: 'sharing', ...measured }],
    // recorded before there were scopes
    ['refused', { consent: false, consentScope: null }],
    ['granted', { consent: true, consentScope: 'personalisation' }],
    ['unpersonalised', { consent: false, consentScope: 'personalisation' }],
    ['opted_out', { consent: false, consentScope: 'personalisation', ...gpc }],
    ['unpersonalised', { consent: false, consentScope: 'personalisation', ...measured }],
  ] as const)('limits sharing with platforms to %s for %j', (sharing, chosen) => {
    expect(sharingOf({ ...choices, ...chosen })).toBe(sharing);
  });

  const words = { granted: true, denied: false, '-': null } as const;
  type Said = keyof typeof words;
  type Chosen = Partial<Parameters<typeof sharingOf>[0]> & { readonly isLater?: boolean };
  /** At hour 2, of what was registered at hour 1. The visitor chose at hour 0 or, if later, at hour 3. */
  const afterTold = (adUserData: Said, adPersonalization: Said, { isLater = false, ...chosen }: Chosen) =>
    sharingOf({
      ...choices,
      consentMs: isLater ? 3 : 0,
      registeredMs: 1,
      ...chosen,
      told: {
        adUserData: words[adUserData],
        adUserDataMs: adUserData === '-' ? null : 2,
        adPersonalization: words[adPersonalization],
        adPersonalizationMs: adPersonalization === '-' ? null : 2,
      },
    });
  const agreed = { consent: true, consentScope: 'sharing' } as const;
  const refused = { consent: false, consentScope: 'sharing' } as const;
  const unpersonalised = { consent: false, consentScope: 'personalisation' } as const;

  it.each([
    ['granted', 'granted', {}, 'granted'],
    ['granted', '-', {}, 'agreed'],
    ['granted', 'denied', {}, 'agreed_unpersonalised'],
    ['-', 'granted', {}, 'unasked'],
    ['-', 'denied', {}, 'unpersonalised'],
    ['-', '-', {}, 'unasked'],
    ['denied', '-', {}, 'withdrawn'],
    ['denied', 'granted', {}, 'withdrawn'],
    ['denied', 'denied', { registeredMs: 2 }, 'refused'],
    ['denied', 'denied', { registeredMs: 3 }, 'refused'],
    ['-', '-', refused, 'refused'],
    ['-', 'granted', refused, 'refused'],
    ['granted', 'granted', refused, 'granted'],
    ['granted', '-', refused, 'agreed_unpersonalised'],
    ['granted', 'granted', { ...refused, isLater: true }, 'refused'],
    ['denied', 'denied', agreed, 'withdrawn'],
    ['-', 'denied', agreed, 'agreed_unpersonalised'],
    ['denied', 'denied', { ...agreed, isLater: true }, 'granted'],
    ['-', '-', unpersonalised, 'unpersonalised'],
    ['granted', '-', unpersonalised, 'agreed_unpersonalised'],
    ['granted', 'granted', unpersonalised, 'granted'],
    ['granted', 'granted', { ...unpersonalised, isLater: true }, 'agreed_unpersonalised'],
    ['denied', '-', { ...unpersonalised, isLater: true }, 'withdrawn'],
    ['granted', 'granted', gpc, 'opted_out'],
    ['granted', 'granted', measured, 'agreed_unpersonalised'],
    ['-', 'granted', measured, 'unpersonalised'],
    ['denied', '-', gpc, 'withdrawn'],
    ['granted', 'granted', { isWithdrawn: true }, 'withdrawn'],
    ['granted', 'granted', { ...agreed, isWithdrawn: true }, 'withdrawn'],
  ] as const)(
    'after an advertiser told adUserData %s and adPersonalization %s of a visitor with %j is %4$s',
    (adUserData, adPersonalization, chosen, sharing) => {
      expect(afterTold(adUserData, adPersonalization, chosen)).toBe(sharing);
    },
  );
});
