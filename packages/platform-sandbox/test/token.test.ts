import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { googleEvent, googleRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const grant = { grant_type: 'refresh_token', client_id: 'c', client_secret: 's', refresh_token: '1//r' };
const issuedSchema = z.object({
  access_token: z.string(),
  expires_in: z.literal(3600),
  token_type: z.literal('Bearer'),
});

describe("Google's token endpoint", () => {
  it('Google issues access tokens that are valid for an hour', async () => {
    let clockMs = nowMs;
    await using sandbox = await serveSandbox(() => clockMs);
    const { access_token: accessToken } = issuedSchema.parse((await sandbox.token(grant)).body);

    const request = googleRequest([googleEvent()]);
    expect(await sandbox.google(request, accessToken)).toMatchObject({ status: 200 });
    clockMs += 3_600_000;
    expect(await sandbox.google(request, accessToken)).toMatchObject({ status: 401 });
  });

  it.each([
    ['a revoked refresh token', { refresh_token: '1//revoked' }, 400, 'invalid_grant'],
    ['a revoked secret', { client_secret: 'revoked' }, 401, 'invalid_client'],
    ['another kind of grant', { grant_type: 'password' }, 400, 'invalid_request'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
  ])('Google rejects a token request with %s', async (_name, changes, status, error) => {
    await using sandbox = await serveSandbox();
    expect(await sandbox.token({ ...grant, ...changes })).toMatchObject({ status, body: { error } });
  });
});
