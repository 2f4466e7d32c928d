import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { credentialsKeys, encryptCredentials, decryptCredentials } from './encrypted-credentials.ts';

const keys = credentialsKeys([randomBytes(32)]);
const connection = { accountId: 1, id: 2 };
const sealed = encryptCredentials(keys, connection, { accessToken: 'secret' });

describe('sealed credentials', () => {
  it('are opened by the key and the connection that they were sealed for', () => {
    expect(decryptCredentials(keys, connection, sealed)).toEqual({ accessToken: 'secret' });
  });

  it('do not show what they hold, nor that two are alike', () => {
    expect(sealed.includes('secret')).toBe(false);
    expect(encryptCredentials(keys, connection, { accessToken: 'secret' }).equals(sealed)).toBe(false);
  });

  it('do not open for another connection, account or key', () => {
    expect(() => decryptCredentials(keys, { ...connection, id: 3 }, sealed)).toThrow('unable to authenticate data');
    expect(() => decryptCredentials(keys, { ...connection, accountId: 3 }, sealed)).toThrow(
      'unable to authenticate data',
    );
    expect(() => decryptCredentials(credentialsKeys([randomBytes(32)]), connection, sealed)).toThrow(
      'unable to authenticate data',
    );
  });

  it('do not open once a bit has changed', () => {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    expect(() => decryptCredentials(keys, connection, changed)).toThrow('unable to authenticate data');
  });
});
