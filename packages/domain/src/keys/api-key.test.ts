import { describe, expect, it } from 'vitest';
import { issueApiKey, isWellFormedApiKey } from './tokens.ts';

describe('API key', () => {
  it('recognises an issued API key', () => {
    expect(isWellFormedApiKey(issueApiKey())).toBe(true);
  });

  it('detects a typo in an API key', () => {
    const key = issueApiKey();
    const typo = key.slice(0, 10) + (key.charAt(10) === 'x' ? 'y' : 'x') + key.slice(11);
    expect(isWellFormedApiKey(typo)).toBe(false);
  });
});
