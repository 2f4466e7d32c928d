import { describe, expect, it } from 'vitest';
import { mendMeta } from './advice.ts';

describe("a refusal of Meta's", () => {
  it.each([
    ['190: Invalid OAuth access token', 'Generate a new one', ['accessToken']],
    ['190/463: Session has expired', 'Generate a new one', ['accessToken']],
    ['104: An access token is required', 'Generate a new one', ['accessToken']],
    ['200: Permissions error', 'may not send events to this data set', ['accessToken']],
    ['10: Application does not have permission', 'may not send events to this data set', ['accessToken']],
    ['100/33: Object does not exist', 'no data set (pixel) of this id', ['pixelId', 'accessToken']],
    ['987654: never heard of', 'words that we do not know', ['pixelId', 'accessToken']],
    ['words without a code', 'words that we do not know', ['pixelId', 'accessToken']],
  ])('for the reason "%s" can be mended', (reason, words, change) => {
    expect(mendMeta(reason)).toEqual({ words: expect.stringContaining(words), change });
  });
});
