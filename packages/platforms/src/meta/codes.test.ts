import { describe, expect, it } from 'vitest';
import { metaPlatform } from './index.ts';

describe('remedies for rejections by Meta', () => {
  it.each([
    ['190: Invalid OAuth access token', 'Generate a new one', ['accessToken']],
    ['190/463: Session has expired', 'Generate a new one', ['accessToken']],
    ['104: Incorrect signature', 'appsecret_proof', ['appSecret']],
    ['100: Invalid appsecret_proof provided in the API argument', 'secret of that same app', ['appSecret']],
    ['2635: You are calling a deprecated version of the Ads API', 'Upgrade Leadback', []],
    ['200: Permissions error', 'may not send events to this data set', ['accessToken']],
    ['10: Application does not have permission', 'may not send events to this data set', ['accessToken']],
    ['100/33: Object does not exist', 'no data set (pixel) with this id', ['pixelId', 'accessToken']],
    ['987654: never heard of', 'unknown reason', ['pixelId', 'accessToken']],
    ['words without a code', 'unknown reason', ['pixelId', 'accessToken']],
  ])('names the fix for the reason "%s"', (reason, words, change) => {
    expect(metaPlatform.remedyFor(reason)).toEqual({ words: expect.stringContaining(words), change });
  });
});
