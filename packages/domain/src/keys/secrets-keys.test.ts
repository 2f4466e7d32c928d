import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isGenuineLeadReference, issueLeadReference, pageOfPreviewCode, pagePreviewCode } from './tokens.ts';
import { encrypt, decrypt } from './encrypt.ts';
import { type Purpose, keysFor, masterKeysSchema, type SecretsKeys } from './keys.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];
const text = (key: Buffer) => key.toString('base64');
const [oldKey, freshKey] = [createSecretKey(old), createSecretKey(fresh)];
const both = [freshKey, oldKey] as const;
const derived = (secretsKeys: SecretsKeys, purpose: Purpose) =>
  keysFor(secretsKeys, purpose).map((key) => text(key.export()));

describe('SECRETS_KEY', () => {
  it.each([
    ['one key', text(old), [old]],
    ['two keys', `${text(fresh)},${text(old)}`, [fresh, old]],
    ['two keys with blanks and a line end around them', ` ${text(fresh)}, ${text(old)}\n`, [fresh, old]],
  ])('parses SECRETS_KEY with %s', (_, written, keys) => {
    expect(masterKeysSchema.parse(written)).toEqual(keys);
  });

  it.each(['', 'short', `${text(old)},`, `${text(old)},c2hvcnQ=`, text(Buffer.alloc(31)), undefined])(
    'rejects %j as SECRETS_KEY',
    (written) => {
      expect(masterKeysSchema.safeParse(written).error?.message).toContain('expected 32 bytes in base64');
    },
  );

  it('derives different keys for each purpose, in the same order', () => {
    const keys = derived([fresh, old], 'lead reference');
    expect(keys).toEqual([...derived([fresh], 'lead reference'), ...derived([old], 'lead reference')]);
    expect(keys).not.toEqual(derived([fresh, old], 'page preview'));
  });

  it('encrypts and issues with the first key, decrypts and recognises with each key', () => {
    const before = { encrypted: encrypt([oldKey], 'row 1', 'x'), reference: issueLeadReference([oldKey]) };
    const during = { encrypted: encrypt(both, 'row 1', 'x'), reference: issueLeadReference(both) };
    for (const { encrypted, reference } of [before, during]) {
      expect(decrypt(both, 'row 1', encrypted)).toBe('x');
      expect(isGenuineLeadReference(both, reference)).toBe(true);
    }
    expect(decrypt([freshKey], 'row 1', during.encrypted)).toBe('x');
    expect(isGenuineLeadReference([freshKey], during.reference)).toBe(true);
    // the second is the last id of the last cell
    for (const page of [7, 8_999_999_999_999_999]) {
      expect(pageOfPreviewCode(both, pagePreviewCode([oldKey], page))).toBe(page);
    }
  });

  it('recognises the code of a preview for 24 hours, and no other time than that in it', () => {
    const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
    const code = pagePreviewCode(both, 7, now);
    expect(pageOfPreviewCode(both, code, now + day - 1_000)).toBe(7);
    expect(pageOfPreviewCode(both, code, now + day)).toBeUndefined();
    const [id, until, check] = code.split('-');
    expect(pageOfPreviewCode(both, `${id}-${Number(until) + 60}-${check}`, now)).toBeUndefined();
    expect(pageOfPreviewCode(both, `${id}-${check}`, now)).toBeUndefined();
  });

  it('decrypts and recognises nothing of a removed key, and decrypts no value in another row', () => {
    expect(() => decrypt([freshKey], 'row 1', encrypt([oldKey], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(() => decrypt(both, 'row 2', encrypt([oldKey], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(isGenuineLeadReference([freshKey], issueLeadReference([oldKey]))).toBe(false);
  });
});
