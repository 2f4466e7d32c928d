import { describe, expect, it } from 'vitest';
import { tiktokCredentialsSchema, tiktokSettingsSchema } from './index.ts';

describe("TikTok's settings", () => {
  it("TikTok's settings require only the pixel", () => {
    expect(tiktokSettingsSchema.parse({ pixelCode: ' C17TA5JC77UDOT6CA5FG ' })).toEqual({
      pixelCode: 'C17TA5JC77UDOT6CA5FG',
      eventName: 'Purchase',
      leadEventName: 'Lead',
    });
  });

  it.each([
    [{ pixelCode: 'my-pixel' }, 'pixelCode', /code of the pixel/],
    [{}, 'pixelCode', /code of the pixel/],
    [{ pixelCode: 'C1', eventName: ' ' }, 'eventName', /name of an event/],
    [{ pixelCode: 'C1', testEventCode: 'a b' }, 'testEventCode', /Test events/],
  ])('invalid TikTok settings %j: the message names the fix', (settings, field, remedyFor) => {
    expect(tiktokSettingsSchema.safeParse(settings).error?.issues).toMatchObject([
      { path: [field], message: expect.stringMatching(remedyFor) },
    ]);
  });

  it.each(['', 'a b', 'token\r\nX-Evil: 1', undefined])('rejects %j as a TikTok access token', (accessToken) => {
    expect(tiktokCredentialsSchema.safeParse({ accessToken }).error?.issues).toMatchObject([{ path: ['accessToken'] }]);
  });
});
