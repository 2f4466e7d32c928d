import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { googleEvent, googleRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const issuedSchema = z.object({ access_token: z.string(), expires_in: z.literal(3600) });
const nowS = nowMs / 1000;

const header = { alg: 'RS256', typ: 'JWT', kid: 'k' };
const claims = {
  iss: 'leadback@shop-ads.iam.gserviceaccount.com',
  scope: 'https://www.googleapis.com/auth/datamanager',
  aud: 'https://oauth2.googleapis.com/token',
  iat: nowS,
  exp: nowS + 3600,
};
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Changes {
  readonly header?: object;
  readonly claims?: object;
  readonly signature?: string;
}

const grant = (changes: Changes = {}) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  assertion: [
    part({ ...header, ...changes.header }),
    part({ ...claims, ...changes.claims }),
    changes.signature ?? 'A'.repeat(342),
  ].join('.'),
});

describe("Google's token endpoint for service accounts", () => {
  it('Google issues access tokens for service accounts, whose requests count towards the quota of the project', async () => {
    await using sandbox = await serveSandbox(() => nowMs);
    const tokenOf = async (iss: string) =>
      issuedSchema.parse((await sandbox.token(grant({ claims: { iss } }))).body).access_token;
    const one = await tokenOf('one@shop-ads.iam.gserviceaccount.com');
    const other = await tokenOf('other@shop-ads.iam.gserviceaccount.com');
    const request = googleRequest([googleEvent()]);
    await Promise.all(Array.from({ length: 300 }, () => sandbox.google(request, one)));
    expect(await sandbox.google(request, other)).toMatchObject({ status: 429 });
  });

  it.each([
    ['an algorithm that is not RS256', { header: { alg: 'none' } }],
    ['another audience', { claims: { aud: 'https://evil.example/token' } }],
    ['another scope', { claims: { scope: 'https://www.googleapis.com/auth/adwords' } }],
    ['no account', { claims: { iss: '' } }],
    ['an end in the past', { claims: { iat: nowS - 7200, exp: nowS - 3600 } }],
    ['a beginning in the future', { claims: { iat: nowS + 301, exp: nowS + 900 } }],
    ['a life of more than an hour', { claims: { exp: nowS + 3601 } }],
    ['no signature', { signature: '' }],
    ['a fourth part', { signature: `${'A'.repeat(342)}.A` }],
    ['an account that was revoked', { claims: { iss: 'revoked@shop-ads.iam.gserviceaccount.com' } }],
  ])('Google rejects an assertion with %s', async (_name, changes) => {
    await using sandbox = await serveSandbox(() => nowMs);
    expect(await sandbox.token(grant(changes))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each(['', 'a.b.c', 'no JWT'])('Google rejects %j as an assertion', async (assertion) => {
    await using sandbox = await serveSandbox(() => nowMs);
    expect(await sandbox.token({ ...grant(), assertion })).toMatchObject({ status: 400 });
  });
});
