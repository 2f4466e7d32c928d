import { verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { now } from '../../test/given-conversion.ts';
import { givenServiceAccountKey, serviceAccountPublicKey } from '../../test/given-service-account-key.ts';
import { serviceAccountAssertion } from './access.ts';

const read = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('the assertion of a service account', () => {
  it('the assertion of a service account names account, scope and audience, and expires within an hour', () => {
    const [header, claims] = serviceAccountAssertion(givenServiceAccountKey(), now).split('.');
    const issuedAt = Math.floor(now / 1000);
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'canary-key-id' });
    expect(read(claims)).toEqual({
      iss: 'leadback@shop-ads.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/datamanager',
      aud: 'https://oauth2.googleapis.com/token',
      iat: issuedAt,
      exp: issuedAt + 3600,
    });
  });

  it('the assertion of a service account is signed with its key', () => {
    const assertion = serviceAccountAssertion(givenServiceAccountKey({ private_key_id: undefined }), now);
    const [header, claims, signature = ''] = assertion.split('.');
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify('sha256', signed, serviceAccountPublicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT' });
  });
});
