import { describe, expect, it } from 'vitest';
import { sharingOf } from './contact.ts';

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
});
