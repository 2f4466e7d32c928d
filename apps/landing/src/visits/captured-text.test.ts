import { describe, expect, it } from 'vitest';
import { capturedText } from './captured-text.ts';

describe('captured text', () => {
  it('is kept word for word', () => {
    expect(capturedText('IwAR2F4-dbP0_Ü 😀')).toBe('IwAR2F4-dbP0_Ü 😀');
  });

  it('is cut at 512 characters, not in the middle of one', () => {
    expect(capturedText('😀'.repeat(600))).toBe('😀'.repeat(512));
  });

  it('loses control characters and halves of surrogate pairs', () => {
    expect(capturedText('a\u0000b\r\nc\u0085d\ud800')).toBe('abcd\ufffd');
  });

  it.each([undefined, null, '', '\n'])('is null for %j', (value) => {
    expect(capturedText(value)).toBeNull();
  });
});
