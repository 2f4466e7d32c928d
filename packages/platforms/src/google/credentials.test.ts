import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { givenServiceAccountKey } from '../../test/given-service-account-key.ts';
import { googleCredentialsSchema } from './credentials.ts';

const refreshToken = { clientId: 'c', clientSecret: 's', refreshToken: '1//r' };
const issuesOf = (credentials: unknown) => googleCredentialsSchema.safeParse(credentials).error?.issues;
const { privateKey: ecKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

describe("Google's credentials", () => {
  it('are a refresh token with its OAuth client', () => {
    expect(googleCredentialsSchema.parse({ ...refreshToken, customerId: '1' })).toEqual(refreshToken);
  });

  it.each(['clientId', 'clientSecret', 'refreshToken'])('of an OAuth client need a %s', (missing) => {
    expect(issuesOf({ ...refreshToken, [missing]: undefined })).toMatchObject([{ path: [missing] }]);
  });

  it('are the key of a service account, without what is not needed of it', () => {
    const serviceAccount = givenServiceAccountKey({ project_id: 'shop-ads' });
    const file = { ...serviceAccount, token_uri: 'https://evil.example/token', universe_domain: 'googleapis.com' };
    const stored = googleCredentialsSchema.parse({ serviceAccount: file });
    expect(stored).toEqual({ serviceAccount });
    expect(googleCredentialsSchema.parse(stored)).toEqual(stored);
  });

  it.each([
    ['the secret of an OAuth client', { installed: { client_id: 'c', client_secret: 's' } }, /"type" is another/],
    ['the credentials of a user', { ...givenServiceAccountKey(), type: 'authorized_user' }, /"type" is another/],
    ['a key without an e-mail address', givenServiceAccountKey({ client_email: '' }), /"client_email" is missing/],
    ['a key that is cut off', givenServiceAccountKey({ private_key: '-----BEGIN PRIVATE KEY-----' }), /no RSA key/],
    ['a key of another kind', givenServiceAccountKey({ private_key: ecKey }), /no RSA key/],
    ['a text', '@key.json', /expected the key of a service account/],
    ['nothing', null, /expected the key of a service account/],
    ['a list', [], /expected the key of a service account/],
  ])('are not %s: the message says what is expected', (_name, serviceAccount, message) => {
    expect(issuesOf({ serviceAccount })).toMatchObject([
      { path: ['serviceAccount'], message: expect.stringMatching(message) },
    ]);
  });

  it('quote no key in what is said of a wrong one', () => {
    const serviceAccount = { ...givenServiceAccountKey(), type: 'other' };
    expect(JSON.stringify(issuesOf({ serviceAccount }))).not.toMatch(/PRIVATE KEY-----|canary/);
  });
});
