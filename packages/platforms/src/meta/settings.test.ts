import { describe, expect, it } from 'vitest';
import { metaCredentialsSchema, metaSettingsSchema } from './settings.ts';

describe("Meta's settings", () => {
  it("Meta's settings require only the pixel", () => {
    expect(metaSettingsSchema.parse({ pixelId: ' 1234567890 ' })).toEqual({
      pixelId: '1234567890',
      eventName: 'Purchase',
      leadEventName: 'Lead',
    });
  });

  it.each([
    [{ pixelId: 'my-pixel' }, 'pixelId', /digits of the data set/],
    [{}, 'pixelId', /digits of the data set/],
    [{ pixelId: '1', eventName: ' ' }, 'eventName', /name of an event/],
    [{ pixelId: '1', testEventCode: 'a b' }, 'testEventCode', /Test events/],
  ])('invalid Meta settings %j: the message names the fix', (settings, field, remedyFor) => {
    expect(metaSettingsSchema.safeParse(settings).error?.issues).toMatchObject([
      { path: [field], message: expect.stringMatching(remedyFor) },
    ]);
  });

  it.each(['', 'EAAB EAAB', 'EAAB\r\nX-Evil: 1', undefined])('rejects %j as a Meta access token', (accessToken) => {
    expect(metaCredentialsSchema.safeParse({ accessToken }).error?.issues).toMatchObject([{ path: ['accessToken'] }]);
  });
});
