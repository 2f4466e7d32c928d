import { describe, expect, it } from 'vitest';
import { sharingOf } from './sharing.ts';

const choices = { consent: null, consentScope: null, globalPrivacyControl: false } as const;

describe('what platforms may be told of a lead', () => {
  it.each([
    ['unasked', {}],
    ['limited', { globalPrivacyControl: true }],
    ['granted', { consent: true, consentScope: 'sharing' }],
    ['limited', { consent: true, consentScope: 'sharing', globalPrivacyControl: true }],
    ['refused', { consent: false, consentScope: 'sharing' }],
    ['refused', { consent: false, consentScope: 'sharing', globalPrivacyControl: true }],
    // recorded before there were scopes
    ['refused', { consent: false, consentScope: null }],
    ['granted', { consent: true, consentScope: 'personalisation' }],
    ['limited', { consent: false, consentScope: 'personalisation' }],
  ] as const)('is %s after %j', (sharing, chosen) => {
    expect(sharingOf({ ...choices, ...chosen })).toBe(sharing);
  });
});
