import { describe, expect, it } from 'vitest';
import { googleQuota } from './quota.ts';

describe("Google's quota", () => {
  it('is shared by all clients of a project', () => {
    const quota = { name: 'google 123456789012', perMinute: 300, perDay: 100_000, timeZone: 'America/Los_Angeles' };
    expect(googleQuota('123456789012-abc1.apps.googleusercontent.com')).toEqual(quota);
    expect(googleQuota('123456789012-def2.apps.googleusercontent.com')).toEqual(quota);
  });

  it.each(['123456789012.apps.googleusercontent.com', 'canary-client', '1-a.apps.googleusercontent.com.example'])(
    'does not tell a client id of another shape: %s',
    (clientId) => {
      const { name } = googleQuota(clientId);
      expect(name).toMatch(/^google [0-9a-f]{16}$/);
      expect(googleQuota(`${clientId}2`).name).not.toBe(name);
    },
  );
});
