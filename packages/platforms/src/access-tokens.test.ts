import { describe, expect, it, vi } from 'vitest';
import { createAccessTokens, type Grant } from './oauth.ts';

const minute = 60_000;
const credentials = { clientId: 'c', clientSecret: 's', refreshToken: 'r' };

const givenTokens = () => {
  const clock = { ms: 0 };
  let issued = 0;
  const request = vi.fn<() => Promise<Grant>>(() => {
    issued += 1;
    return Promise.resolve({ kind: 'granted', accessToken: `token ${issued}`, expiresAtMs: clock.ms + 59 * minute });
  });
  return { clock, request, tokens: createAccessTokens(request, () => clock.ms) };
};

const granted = (number: number) => expect.objectContaining({ accessToken: `token ${number}` });

describe('access tokens', () => {
  it('concurrent callers share one request for an access token', async () => {
    const { request, tokens } = givenTokens();
    const grants = await Promise.all([tokens(credentials), tokens(credentials), tokens({ ...credentials })]);
    expect(grants).toEqual([granted(1), granted(1), granted(1)]);
    expect(await tokens(credentials)).toEqual(granted(1));
    expect(request).toHaveBeenCalledOnce();
  });

  it('keeps access tokens until they expire', async () => {
    const { clock, tokens } = givenTokens();
    await tokens(credentials);
    clock.ms = 59 * minute - 1;
    expect(await tokens(credentials)).toEqual(granted(1));
    clock.ms = 59 * minute;
    expect(await tokens(credentials)).toEqual(granted(2));
  });

  it('renews an access token once, however many requests were rejected with it', async () => {
    const { tokens } = givenTokens();
    await tokens(credentials);
    const renewed = await Promise.all([tokens(credentials, 'token 1'), tokens(credentials, 'token 1')]);
    expect(renewed).toEqual([granted(2), granted(2)]);
    expect(await tokens(credentials, 'token 1')).toEqual(granted(2));
  });

  it('uses separate access tokens for different credentials', async () => {
    const { tokens } = givenTokens();
    expect(await tokens(credentials)).toEqual(granted(1));
    expect(await tokens({ ...credentials, refreshToken: 'another' })).toEqual(granted(2));
    const serviceAccount = { client_email: 'a@p.example', private_key: 'k' };
    expect(await tokens({ serviceAccount })).toEqual(granted(3));
    expect(await tokens({ serviceAccount: { ...serviceAccount, client_email: 'b@p.example' } })).toEqual(granted(4));
    expect(await tokens({ serviceAccount: { ...serviceAccount } })).toEqual(granted(3));
  });

  it('requests an access token again after a failure', async () => {
    const { request, tokens } = givenTokens();
    const answer = { outcome: { kind: 'unavailable', reason: 'ECONNRESET' }, httpStatus: null, body: null } as const;
    request.mockResolvedValueOnce({ kind: 'denied', answer });
    expect(await Promise.all([tokens(credentials), tokens(credentials)])).toEqual([
      { kind: 'denied', answer },
      { kind: 'denied', answer },
    ]);
    expect(await tokens(credentials)).toEqual(granted(1));
  });
});
