import { describe, expect, it } from 'vitest';
import { givenServiceAccountKey } from '../../test/given-service-account-key.ts';
import { googleQuotas } from './access.ts';

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
