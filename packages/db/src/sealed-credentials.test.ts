import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { credentialsKey, sealCredentials, unsealCredentials } from './sealed-credentials.ts';

const key = credentialsKey(randomBytes(32));
const connection = { accountId: 1, id: 2 };
const sealed = sealCredentials(key, connection, { accessToken: 'secret' });

describe('sealed credentials', () => {
  it('are opened by the key and the connection that they were sealed for', () => {
    expect(unsealCredentials(key, connection, sealed)).toEqual({ accessToken: 'secret' });
  });

  it('do not show what they hold, nor that two are alike', () => {
    expect(sealed.includes('secret')).toBe(false);
    expect(sealCredentials(key, connection, { accessToken: 'secret' }).equals(sealed)).toBe(false);
  });

  it('do not open for another connection, account or key', () => {
    expect(() => unsealCredentials(key, { ...connection, id: 3 }, sealed)).toThrow('unable to authenticate data');
    expect(() => unsealCredentials(key, { ...connection, accountId: 3 }, sealed)).toThrow(
      'unable to authenticate data',
    );
    expect(() => unsealCredentials(credentialsKey(randomBytes(32)), connection, sealed)).toThrow(
      'unable to authenticate data',
    );
  });

  it('do not open once a bit has changed', () => {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    expect(() => unsealCredentials(key, connection, changed)).toThrow('unable to authenticate data');
  });
});
