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
  ])('is %s', (_, written, keys) => {
    expect(secretsKeysSchema.parse(written)).toEqual(keys);
  });

  it.each(['', 'short', `${text(old)},`, `${text(old)},c2hvcnQ=`, text(Buffer.alloc(31)), undefined])(
    'is not %j',
    (written) => {
      expect(secretsKeysSchema.safeParse(written).error?.message).toContain('expected 32 bytes in base64');
    },
  );

  it('gives each purpose keys of its own, in the same order', () => {
    const keys = deriveKeys([fresh, old], 'one');
    expect(keys).toEqual([...deriveKeys([fresh], 'one'), ...deriveKeys([old], 'one')]);
    expect(keys).not.toEqual(deriveKeys([fresh, old], 'another'));
  });

  it('seals and issues under the first of its keys, opens and recognises under each', () => {
    const before = { sealed: encrypt([old], 'row 1', 'x'), reference: issueLeadReference([old]) };
    const during = { sealed: encrypt([fresh, old], 'row 1', 'x'), reference: issueLeadReference([fresh, old]) };
    for (const { sealed, reference } of [before, during]) {
      expect(decrypt([fresh, old], 'row 1', sealed)).toBe('x');
      expect(isGenuineLeadReference([fresh, old], reference)).toBe(true);
    }
    expect(decrypt([fresh], 'row 1', during.sealed)).toBe('x');
    expect(isGenuineLeadReference([fresh], during.reference)).toBe(true);
    expect(pageOfPreviewCode([fresh, old], pagePreviewCode([old], 7))).toBe(7);
  });

  it('opens and recognises nothing of a key that was taken away, nor anything in another place', () => {
    expect(() => decrypt([fresh], 'row 1', encrypt([old], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(() => decrypt([fresh, old], 'row 2', encrypt([old], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(isGenuineLeadReference([fresh], issueLeadReference([old]))).toBe(false);
  });
});
