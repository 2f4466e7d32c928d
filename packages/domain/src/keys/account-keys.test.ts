import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type AccountKeys,
  accountMasterKeys,
  lookupHash,
  openAccountKey,
  reEncryptAccountKey,
  sealNewAccountKey,
  accountKeysOpener,
} from './encrypt.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];
const masterKeys = accountMasterKeys([old]);
const encrypted = sealNewAccountKey(masterKeys, 7);
const bytesOf = ({ contact, lookup }: AccountKeys) => [contact, lookup].map((key) => key.export().toString('hex'));
const keys = openAccountKey(masterKeys, 7, encrypted);

describe('the key of an account', () => {
  it('gives the same keys each time, for contact data and for searches, and others for another account', () => {
    expect(bytesOf(openAccountKey(masterKeys, 7, encrypted))).toEqual(bytesOf(keys));
    expect(
      new Set([...bytesOf(keys), ...bytesOf(openAccountKey(masterKeys, 8, sealNewAccountKey(masterKeys, 8)))]).size,
    ).toBe(4);
  });

  it('cannot be decrypted for another account or with another SECRETS_KEY', () => {
    expect(() => openAccountKey(masterKeys, 8, encrypted)).toThrow('unable to authenticate data');
    expect(() => openAccountKey(accountMasterKeys([fresh]), 7, encrypted)).toThrow('unable to authenticate data');
  });

  it('is the same after a rotation of SECRETS_KEY', () => {
    const both = accountMasterKeys([fresh, old]);
    const rotated = reEncryptAccountKey(both, 7, encrypted) ?? Buffer.alloc(0);
    expect(bytesOf(openAccountKey(accountMasterKeys([fresh]), 7, rotated))).toEqual(bytesOf(keys));
    expect(reEncryptAccountKey(both, 7, rotated)).toBe(rotated);
    expect(reEncryptAccountKey(accountMasterKeys([fresh]), 7, encrypted)).toBeUndefined();
  });

  it('is decrypted again if the account has another one', () => {
    const open = accountKeysOpener(masterKeys);
    expect(open(7, Buffer.from(encrypted))).toBe(open(7, encrypted));
    const other = sealNewAccountKey(masterKeys, 7);
    expect(bytesOf(open(7, other))).toEqual(bytesOf(openAccountKey(masterKeys, 7, other)));
    expect(() => open(8, encrypted)).toThrow('unable to authenticate data');
  });
});

describe('the hash that a value is found by', () => {
  it('is the same for the same value, and another for each kind, value and account', () => {
    const hash = lookupHash(keys, 'email', 'ana@example.com');
    expect(hash).toMatch(/^[\w-]{22}$/);
    expect(lookupHash(openAccountKey(masterKeys, 7, encrypted), 'email', 'ana@example.com')).toBe(hash);
    const other = openAccountKey(masterKeys, 7, sealNewAccountKey(masterKeys, 7));
    const hashes = [
      hash,
      lookupHash(keys, 'lead', 'ana@example.com'),
      lookupHash(keys, 'email', 'ana@example.co'),
      lookupHash(other, 'email', 'ana@example.com'),
    ];
    expect(new Set(hashes).size).toBe(4);
  });
});
