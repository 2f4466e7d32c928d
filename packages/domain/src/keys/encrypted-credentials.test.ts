import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { connectionKeys, encryptCredentials, decryptCredentials } from './encrypt.ts';

const keys = connectionKeys([randomBytes(32)], 'meta');
const connection = { accountId: 1, id: 2 };
const encrypted = encryptCredentials(keys, connection, { accessToken: 'secret' });

describe('encrypted credentials', () => {
  it('credentials are decrypted with the key and the connection that they were encrypted for', () => {
    expect(decryptCredentials(keys, connection, encrypted)).toEqual({ accessToken: 'secret' });
  });

  it('encrypted credentials reveal neither their content nor whether two are equal', () => {
    expect(encrypted.includes('secret')).toBe(false);
    expect(encryptCredentials(keys, connection, { accessToken: 'secret' }).equals(encrypted)).toBe(false);
  });

  it('credentials cannot be decrypted for another connection, account or key', () => {
    expect(() => decryptCredentials(keys, { ...connection, id: 3 }, encrypted)).toThrow('unable to authenticate data');
    expect(() => decryptCredentials(keys, { ...connection, accountId: 3 }, encrypted)).toThrow(
      'unable to authenticate data',
    );
    expect(() => decryptCredentials(connectionKeys([randomBytes(32)], 'meta'), connection, encrypted)).toThrow(
      'unable to authenticate data',
    );
  });

  it('credentials cannot be decrypted if a bit was changed', () => {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    expect(() => decryptCredentials(keys, connection, changed)).toThrow('unable to authenticate data');
  });
});
