import { describe, expect, it } from 'vitest';
import { remedyForTikTok } from './advice.ts';
import { refusingCodes } from './error-codes.ts';

describe('remedies for rejections by TikTok', () => {
  it.each([
    ['40105: Access token is incorrect or has been revoked.', 'Generate a new one', ['accessToken']],
    ['40102: Access token has expired.', 'Generate a new one', ['accessToken']],
    ['40001: No permission to operate pixel', 'may not send events to this pixel', ['pixelCode', 'accessToken']],
    ['40999: never heard of', 'unknown reason', ['pixelCode', 'accessToken']],
  ])('names the fix for the reason "%s"', (reason, words, change) => {
    expect(remedyForTikTok(reason)).toEqual({ words: expect.stringContaining(words), change });
  });

  it.each(refusingCodes)('has a remedy of its own for code %i', (code) => {
    expect(remedyForTikTok(`${code}: words`).words).not.toContain('unknown reason');
  });
});
