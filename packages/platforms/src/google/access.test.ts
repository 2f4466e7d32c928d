import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { now } from '../../test/given-conversion.ts';
import { givenServiceAccountKey, serviceAccountPublicKey } from '../../test/given-service-account-key.ts';
import { serviceAccountAssertion, googleQuotas } from './access.ts';
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

const nameFor = (client_email: string, project_id?: string) =>
  googleQuotas({ serviceAccount: givenServiceAccountKey({ client_email, project_id }) }).events.name;
const client = (clientId: string) => ({ clientId, clientSecret: 's', refreshToken: '1//r' });

describe("Google's quota", () => {
  it('all OAuth clients of a project share one Google quota', () => {
    const quota = { name: 'google 123456789012', perMinute: 300, perDay: 100_000, timeZone: 'America/Los_Angeles' };
    expect(googleQuotas(client('123456789012-abc1.apps.googleusercontent.com')).events).toEqual(quota);
    expect(googleQuotas(client('123456789012-def2.apps.googleusercontent.com')).events).toEqual(quota);
  });

  it('request statuses have a quota of their own, so that they take no slots of events', () => {
    const { events, statuses } = googleQuotas(client('123456789012-abc1.apps.googleusercontent.com'));
    expect(statuses).toEqual({ ...events, name: 'google 123456789012 statuses' });
  });

  it('all service accounts of a project share one Google quota', () => {
    expect(nameFor('one@shop-ads.iam.gserviceaccount.com')).toBe('google shop-ads');
    expect(nameFor('two@shop-ads.iam.gserviceaccount.com')).toBe('google shop-ads');
    expect(nameFor('one@elsewhere.iam.gserviceaccount.com', 'shop-ads')).toBe('google shop-ads');
    expect(nameFor('one@developer.gserviceaccount.com')).toMatch(/^google [0-9a-f]{16}$/);
  });

  it.each(['123456789012.apps.googleusercontent.com', 'canary-client', '1-a.apps.googleusercontent.com.example'])(
    'does not reveal a client id of an unknown form in the name of the quota: %s',
    (clientId) => {
      const { name } = googleQuotas(client(clientId)).events;
      expect(name).toMatch(/^google [0-9a-f]{16}$/);
      expect(googleQuotas(client(`${clientId}2`)).events.name).not.toBe(name);
    },
  );
});
