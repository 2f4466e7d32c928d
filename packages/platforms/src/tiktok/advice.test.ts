import { describe, expect, it } from 'vitest';
import { remedyForTikTok } from './advice.ts';
import { refusingCodes } from './error-codes.ts';

describe("a refusal of TikTok's", () => {
  it.each([
    ['40105: Access token is incorrect or has been revoked.', 'Generate a new one', ['accessToken']],
    ['40102: Access token has expired.', 'Generate a new one', ['accessToken']],
    ['40001: No permission to operate pixel', 'may not send events to this pixel', ['pixelCode', 'accessToken']],
    ['40999: never heard of', 'words that we do not know', ['pixelCode', 'accessToken']],
  ])('for the reason "%s" can be mended', (reason, words, change) => {
    expect(remedyForTikTok(reason)).toEqual({ words: expect.stringContaining(words), change });
  });

  it.each(refusingCodes)('by code %i has advice of its own', (code) => {
    expect(remedyForTikTok(`${code}: words`).words).not.toContain('words that we do not know');
  });
});
