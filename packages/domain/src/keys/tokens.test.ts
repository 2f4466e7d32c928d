import * as fc from 'fast-check';
import { randomBytes, createHmac, createSecretKey, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { masterKeysSchema } from './keys.ts';
import {
  issueApiKey,
  isWellFormedApiKey,
  keyedCheck,
  lastBase62Digits,
  randomBase62,
  knownBrowserKeys,
  readKnownBrowser,
  writeKnownBrowser,
  isGenuineLeadReference,
  issueLeadReference,
  leadReferenceKeys,
  leadReferenceOf,
  leadProofKeys,
  leadProofOf,
  newLeadProof,
  readOwnLead,
  writeOwnLead,
  type ConsentRequest,
  consentRequestKeys,
  hashConsentText,
  isSignedConsentRequest,
  signConsentRequest,
} from './tokens.ts';

it('a keyed check is the HMAC-SHA-256 that Node.js makes, for keys of any length and any text', () => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(key, fc.string({ unit: 'binary' }), (bytes, text) => {
      const mac = createHmac('sha256', bytes).update(text).digest('hex');
      const check = keyedCheck([createSecretKey(bytes)], text, 22);
      expect(check).toBe(lastBase62Digits(BigInt(`0x${mac}`), 22));
    }),
  );
});

describe('API key', () => {
  it.each([
    [false, /^lb_live_[0-9A-Za-z]{40}$/],
    [true, /^lb_test_[0-9A-Za-z]{40}$/],
  ])('recognises an issued API key, which shows its mode: %s', (isTest, shape) => {
    const key = issueApiKey({ isTest });
    expect(key).toMatch(shape);
    expect(isWellFormedApiKey(key)).toBe(true);
    const otherMode = key.replace(/live|test/, (mode) => (mode === 'live' ? 'test' : 'live'));
    expect(isWellFormedApiKey(otherMode)).toBe(false);
  });

  it('detects a typo in an API key', () => {
    const key = issueApiKey({ isTest: false });
    const typo = key.slice(0, 10) + (key.charAt(10) === 'x' ? 'y' : 'x') + key.slice(11);
    expect(isWellFormedApiKey(typo)).toBe(false);
  });
});

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const digitByDigit = (number: bigint, length: number): string => {
  let rest = number;
  return Array.from({ length }, () => {
    const digit = alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
    return digit;
  }).join('');
};

describe('base 62', () => {
  it.each([32, 256])('writes the last digits of a number of %i bits in base 62', (bits) => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
        fc.integer({ min: 1, max: 22 }),
        (one, length) => {
          expect(lastBase62Digits(one, length)).toBe(digitByDigit(one, length));
        },
      ),
    );
  });

  it('draws each of the 62 characters about equally often, in each place', () => {
    const drawn = Array.from({ length: 20_000 }, () => randomBase62(16));
    for (const place of [0, 15]) {
      const counts = Map.groupBy(drawn, (text) => text.charAt(place));
      expect([...counts.keys()].toSorted().join('')).toBe(alphabet);
      // 323 expected with a standard deviation of 18
      for (const texts of counts.values()) expect(Math.abs(texts.length - 20_000 / 62)).toBeLessThan(170);
    }
  });
});

const keyOf = () => randomBytes(32).toString('base64');

it('a known browser is that of one person, and its cookie cannot be made from another', () => {
  const keys = knownBrowserKeys(masterKeysSchema.parse(keyOf()));
  const [one, other] = [writeKnownBrowser(keys, 'ana@x.example'), writeKnownBrowser(keys, 'bea@x.example')];
  const read = readKnownBrowser(keys, one);
  expect([read?.isOf('ana@x.example'), read?.isOf('bea@x.example')]).toEqual([true, false]);
  const again = readKnownBrowser(keys, writeKnownBrowser(keys, 'ana@x.example'));
  expect([again?.person === read?.person, again?.name === read?.name]).toEqual([true, false]);
  expect(readKnownBrowser(keys, other)?.person).not.toBe(read?.person);
  const [, name, check] = one.split('-');
  for (const forged of [`${other.split('-')[0]}-${name}-${check}`, `${one}x`, '', one.toLowerCase()]) {
    expect(readKnownBrowser(keys, forged)).toBeUndefined();
  }
  expect(JSON.stringify(one)).not.toContain('ana');
});

it('a known browser stays known when the key is rotated', () => {
  const [before, after] = [keyOf(), keyOf()];
  const cookie = writeKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(before)), 'ana@x.example');
  const rotated = readKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(`${after},${before}`)), cookie);
  expect(rotated?.isOf('ana@x.example')).toBe(true);
  expect(readKnownBrowser(knownBrowserKeys(masterKeysSchema.parse(after)), cookie)).toBeUndefined();
});

const keys = leadReferenceKeys([randomBytes(32)]);

describe('lead reference', () => {
  it('issues unique lead references of 22 characters of [0-9A-Za-z]', () => {
    const issued = Array.from({ length: 1000 }, () => issueLeadReference(keys));
    expect(issued.every((reference) => /^[0-9A-Za-z]{22}$/.test(reference))).toBe(true);
    expect(new Set(issued).size).toBe(issued.length);
  });

  it('keeps lead references that were issued before genuine', () => {
    const fixed = [createSecretKey(Buffer.alloc(32, 7))] as const;
    expect(leadReferenceOf(fixed, 'seed')).toBe('SQWE7AYT3mtquK3MWORH0k');
    expect(isGenuineLeadReference(fixed, 'SQWE7AYT3mtquK3MWORH0k')).toBe(true);
  });

  it('recognises a lead reference, but no damaged, invented or foreign one', () => {
    const reference = issueLeadReference(keys);
    const swapped = (reference.startsWith('a') ? 'b' : 'a') + reference.slice(1);
    expect(isGenuineLeadReference(keys, reference)).toBe(true);
    const foreign = issueLeadReference(leadReferenceKeys([randomBytes(32)]));
    for (const other of [swapped, reference.slice(0, -1), '{serviceId}', '', foreign]) {
      expect(isGenuineLeadReference(keys, other)).toBe(false);
    }
  });
});

const proofKeys = leadProofKeys([randomBytes(32)]);
const foreign = leadProofKeys([randomBytes(32)]);
const lead = { reference: 'R'.repeat(22), pageId: 7, proof: newLeadProof().proof };

describe('the proof of a lead', () => {
  it('is 22 random characters, of which the lead keeps a hash', () => {
    const proofs = Array.from({ length: 1_000 }, newLeadProof);
    expect(new Set(proofs.map(({ proof }) => proof)).size).toBe(1_000);
    for (const { proof, hash } of proofs) {
      expect(proof).toMatch(/^[0-9A-Za-z]{22}$/);
      expect(hash).toBe(createHash('sha256').update(proof).digest('hex'));
    }
  });

  it('is the same for a form that is sent again, and cannot be made without the key', () => {
    expect(leadProofOf(proofKeys, 'form')).toEqual(leadProofOf(proofKeys, 'form'));
    for (const other of [leadProofOf(proofKeys, 'other'), leadProofOf(foreign, 'form')]) {
      expect(other).not.toEqual(leadProofOf(proofKeys, 'form'));
    }
  });

  it('is read from what was written, also after a rotation of the key', () => {
    const written = writeOwnLead(proofKeys, lead);
    expect(readOwnLead(proofKeys, written)).toEqual(lead);
    expect(readOwnLead([foreign[0], proofKeys[0]], written)).toEqual(lead);
  });

  it('is not read from anything else', () => {
    const written = writeOwnLead(proofKeys, lead);
    const unsigned = written.slice(0, written.lastIndexOf('.'));
    for (const other of [
      '',
      lead.reference,
      `${lead.reference}.7`,
      unsigned,
      `${unsigned}.${'A'.repeat(16)}`,
      written.replace('.7.', '.8.'),
      written.replace('RRR', 'SRR'),
      `${written}A`,
      writeOwnLead(foreign, lead),
    ]) {
      expect(readOwnLead(proofKeys, other)).toBeUndefined();
    }
  });
});

const requestKeys = consentRequestKeys([randomBytes(32)]);
const request: ConsentRequest = { pageId: 1, scope: 'sharing', textHash: hashConsentText('I agree') };
const token = 'token';
const signature = signConsentRequest(requestKeys, request, token);

describe('a consent request', () => {
  it('recognizes a signed consent request, even if its key is no longer the first', () => {
    const [old] = requestKeys;
    expect(isSignedConsentRequest(requestKeys, request, { token, signature })).toBe(true);
    expect(isSignedConsentRequest([createSecretKey(randomBytes(32)), old], request, { token, signature })).toBe(true);
  });

  it.each([
    ['the page', { ...request, pageId: 11 }, token],
    ['what was asked', { ...request, scope: 'nothing' }, token],
    ['the consent text', { ...request, textHash: hashConsentText('I do not agree') }, token],
    ['the token', request, 'other'],
  ] as const)('rejects a consent request if %s differs from what was signed', (_, other, otherToken) => {
    expect(isSignedConsentRequest(requestKeys, other, { token: otherToken, signature })).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['shortened', signature.slice(0, -1)],
    ['extended', `${signature}0`],
    ['of other characters', 'ñ'.repeat(22)],
    ["another installation's", signConsentRequest(consentRequestKeys([randomBytes(32)]), request, token)],
  ])('rejects a consent request if its signature is %s', (_, other) => {
    expect(isSignedConsentRequest(requestKeys, request, { token, signature: other })).toBe(false);
  });

  it('gives each consent text, and a page without one, its own hash', () => {
    const hashes = [null, 'I agree', 'I agree.', 'De acuerdo'].map(hashConsentText);
    expect(new Set(hashes).size).toBe(4);
    expect(hashes.filter((hash) => !/^[\w-]{22}$/.test(hash))).toEqual([]);
  });
});
