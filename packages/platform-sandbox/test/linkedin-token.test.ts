import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkedinElement, linkedinRequest } from './linkedin-element.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe("LinkedIn's token endpoint", () => {
  const path = '/oauth/v2/accessToken';
  const grant = { grant_type: 'refresh_token', client_id: 'c', client_secret: 's', refresh_token: 'r' };

  it('LinkedIn issues access tokens that are valid for 60 days', async () => {
    let clockMs = nowMs;
    await using sandbox = await serveSandbox(() => clockMs);
    const issued = await sandbox.token(grant, path);
    const { access_token: token } = z.object({ access_token: z.string() }).parse(issued.body);
    const request = linkedinRequest(linkedinElement());
    expect(await sandbox.linkedin(request, token)).toMatchObject({ status: 200 });
    clockMs += 60 * dayMs;
    expect(await sandbox.linkedin(request, token)).toMatchObject({
      status: 401,
      body: { code: 'EXPIRED_ACCESS_TOKEN' },
    });
  });

  it.each([
    ['a revoked refresh token', { refresh_token: 'revoked' }, 400, 'invalid_grant'],
    ['a revoked secret', { client_secret: 'revoked' }, 401, 'invalid_client'],
    ['another kind of grant', { grant_type: 'password' }, 400, 'invalid_request'],
  ])('LinkedIn rejects a token request with %s', async (_name, changes, status, error) => {
    await using sandbox = await serveSandbox();
    expect(await sandbox.token({ ...grant, ...changes }, path)).toMatchObject({ status, body: { error } });
  });
});
