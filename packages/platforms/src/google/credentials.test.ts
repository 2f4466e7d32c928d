import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { givenServiceAccountKey } from '../../test/given-service-account-key.ts';
import { googlePlatform } from './index.ts';

const { credentialsSchema } = googlePlatform;
const refreshToken = { clientId: 'c', clientSecret: 's', refreshToken: '1//r' };
const issuesOf = (credentials: unknown) => credentialsSchema.safeParse(credentials).error?.issues;
const { privateKey: ecKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

describe("Google's credentials", () => {
  it('accepts a refresh token with its OAuth client as Google credentials', () => {
    expect(credentialsSchema.parse({ ...refreshToken, customerId: '1' })).toEqual(refreshToken);
  });

  it.each(['clientId', 'clientSecret', 'refreshToken'])('requires %s of an OAuth client', (missing) => {
    expect(issuesOf({ ...refreshToken, [missing]: undefined })).toMatchObject([{ path: [missing] }]);
  });

  it('accepts a service account key and drops its unused fields', () => {
    const serviceAccount = givenServiceAccountKey({ project_id: 'shop-ads' });
    const file = { ...serviceAccount, token_uri: 'https://evil.example/token', universe_domain: 'googleapis.com' };
    const stored = credentialsSchema.parse({ serviceAccount: file });
    expect(stored).toEqual({ serviceAccount });
    expect(credentialsSchema.parse(stored)).toEqual(stored);
  });

  it.each([
    [
      'the secret of an OAuth client',
      { installed: { client_id: 'c', client_secret: 's' } },
      /"type" is not "service_account"/,
    ],
    [
      'the credentials of a user',
      { ...givenServiceAccountKey(), type: 'authorized_user' },
      /"type" is not "service_account"/,
    ],
    ['a key without an email', givenServiceAccountKey({ client_email: '' }), /"client_email" is missing/],
    ['a key that is cut off', givenServiceAccountKey({ private_key: '-----BEGIN PRIVATE KEY-----' }), /no RSA key/],
    ['a key of another kind', givenServiceAccountKey({ private_key: ecKey }), /no RSA key/],
    ['a text', '@key.json', /expected the key of a service account/],
    ['nothing', null, /expected the key of a service account/],
    ['a list', [], /expected the key of a service account/],
  ])(
    'rejects Google credentials that are %s, and the message says what is expected',
    (_name, serviceAccount, message) => {
      expect(issuesOf({ serviceAccount })).toMatchObject([
        { path: ['serviceAccount'], message: expect.stringMatching(message) },
      ]);
    },
  );

  it('does not quote the key in the message about an invalid one', () => {
    const serviceAccount = { ...givenServiceAccountKey(), type: 'other' };
    expect(JSON.stringify(issuesOf({ serviceAccount }))).not.toMatch(/PRIVATE KEY-----|canary/);
  });
});
