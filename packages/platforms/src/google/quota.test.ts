import { describe, expect, it } from 'vitest';
import { givenServiceAccountKey } from '../../test/given-service-account-key.ts';
import { googleQuota } from './access.ts';

const nameFor = (client_email: string, project_id?: string) =>
  googleQuota({ serviceAccount: givenServiceAccountKey({ client_email, project_id }) }).name;
const client = (clientId: string) => ({ clientId, clientSecret: 's', refreshToken: '1//r' });

describe("Google's quota", () => {
  it('all OAuth clients of a project share one Google quota', () => {
    const quota = { name: 'google 123456789012', perMinute: 300, perDay: 100_000, timeZone: 'America/Los_Angeles' };
    expect(googleQuota(client('123456789012-abc1.apps.googleusercontent.com'))).toEqual(quota);
    expect(googleQuota(client('123456789012-def2.apps.googleusercontent.com'))).toEqual(quota);
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
      const { name } = googleQuota(client(clientId));
      expect(name).toMatch(/^google [0-9a-f]{16}$/);
      expect(googleQuota(client(`${clientId}2`)).name).not.toBe(name);
    },
  );
});
