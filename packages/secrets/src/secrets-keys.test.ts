import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isGenuineLeadReference, issueLeadReference } from './lead-reference.ts';
import { pageOfPreviewCode, pagePreviewCode } from './page-preview.ts';
import { encrypt, decrypt } from './encrypt.ts';
import { deriveKeys, secretsKeysSchema } from './secrets-keys.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];
const text = (key: Buffer) => key.toString('base64');

describe('SECRETS_KEY', () => {
  it.each([
    ['one key', text(old), [old]],
    ['two keys', `${text(fresh)},${text(old)}`, [fresh, old]],
    ['two keys with blanks and a line end around them', ` ${text(fresh)}, ${text(old)}\n`, [fresh, old]],
  ])('parses SECRETS_KEY with %s', (_, written, keys) => {
    expect(secretsKeysSchema.parse(written)).toEqual(keys);
  });

  it.each(['', 'short', `${text(old)},`, `${text(old)},c2hvcnQ=`, text(Buffer.alloc(31)), undefined])(
    'rejects %j as SECRETS_KEY',
    (written) => {
      expect(secretsKeysSchema.safeParse(written).error?.message).toContain('expected 32 bytes in base64');
    },
  );

  it('derives different keys for each purpose, in the same order', () => {
    const keys = deriveKeys([fresh, old], 'lead reference');
    expect(keys).toEqual([...deriveKeys([fresh], 'lead reference'), ...deriveKeys([old], 'lead reference')]);
    expect(keys).not.toEqual(deriveKeys([fresh, old], 'page preview'));
  });

  it('encrypts and issues with the first key, decrypts and recognises with each key', () => {
    const before = { encrypted: encrypt([old], 'row 1', 'x'), reference: issueLeadReference([old]) };
    const during = { encrypted: encrypt([fresh, old], 'row 1', 'x'), reference: issueLeadReference([fresh, old]) };
    for (const { encrypted, reference } of [before, during]) {
      expect(decrypt([fresh, old], 'row 1', encrypted)).toBe('x');
      expect(isGenuineLeadReference([fresh, old], reference)).toBe(true);
    }
    expect(decrypt([fresh], 'row 1', during.encrypted)).toBe('x');
    expect(isGenuineLeadReference([fresh], during.reference)).toBe(true);
    expect(pageOfPreviewCode([fresh, old], pagePreviewCode([old], 7))).toBe(7);
  });

  it('decrypts and recognises nothing of a removed key, and decrypts no value in another row', () => {
    expect(() => decrypt([fresh], 'row 1', encrypt([old], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(() => decrypt([fresh, old], 'row 2', encrypt([old], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(isGenuineLeadReference([fresh], issueLeadReference([old]))).toBe(false);
  });
});
