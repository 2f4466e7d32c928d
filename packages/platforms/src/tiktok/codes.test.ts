import { describe, expect, it } from 'vitest';
import { tiktokPlatform } from './index.ts';

describe('remedies for rejections by TikTok', () => {
  it.each([
    ['40105: Access token is incorrect or has been revoked.', 'Generate a new one', ['accessToken']],
    ['40102: Access token has expired.', 'Generate a new one', ['accessToken']],
    ['40001: No permission to operate pixel', 'may not send events to this pixel', ['pixelCode', 'accessToken']],
    ['40007: The pixel does not exist.', 'no pixel with this code', ['pixelCode', 'accessToken']],
    ['40999: never heard of', 'unknown reason', ['pixelCode', 'accessToken']],
  ])('names the fix for the reason "%s"', (reason, words, change) => {
    expect(tiktokPlatform.remedyFor(reason)).toEqual({ words: expect.stringContaining(words), change });
  });
});
