import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type ConsentRequest,
  consentRequestKeys,
  hashConsentText,
  isSignedConsentRequest,
  signConsentRequest,
} from './tokens.ts';

const keys = consentRequestKeys([randomBytes(32)]);
const request: ConsentRequest = { pageId: 1, scope: 'sharing', textHash: hashConsentText('I agree') };
const token = 'token';
const signature = signConsentRequest(keys, request, token);

describe('a consent request', () => {
  it('recognizes a signed consent request, even if its key is no longer the first', () => {
    const [old] = keys;
    expect(isSignedConsentRequest(keys, request, { token, signature })).toBe(true);
    expect(isSignedConsentRequest([createSecretKey(randomBytes(32)), old], request, { token, signature })).toBe(true);
  });

  it.each([
    ['the page', { ...request, pageId: 11 }, token],
    ['what was asked', { ...request, scope: 'nothing' }, token],
    ['the consent text', { ...request, textHash: hashConsentText('I do not agree') }, token],
    ['the token', request, 'other'],
  ] as const)('rejects a consent request if %s differs from what was signed', (_, other, otherToken) => {
    expect(isSignedConsentRequest(keys, other, { token: otherToken, signature })).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['shortened', signature.slice(0, -1)],
    ['extended', `${signature}0`],
    ['of other characters', 'ñ'.repeat(22)],
    ["another installation's", signConsentRequest(consentRequestKeys([randomBytes(32)]), request, token)],
  ])('rejects a consent request if its signature is %s', (_, other) => {
    expect(isSignedConsentRequest(keys, request, { token, signature: other })).toBe(false);
  });

  it('gives each consent text, and a page without one, its own hash', () => {
    const hashes = [null, 'I agree', 'I agree.', 'De acuerdo'].map(hashConsentText);
    expect(new Set(hashes).size).toBe(4);
    expect(hashes.filter((hash) => !/^[\w-]{22}$/.test(hash))).toEqual([]);
  });
});
