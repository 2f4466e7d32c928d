import { describe, expect, it } from 'vitest';
import { capturedText } from './exchange.ts';

describe('capturedText', () => {
  it('keeps captured text unchanged', () => {
    expect(capturedText('IwAR2F4-dbP0_Ü 😀')).toBe('IwAR2F4-dbP0_Ü 😀');
  });

  it('cuts captured text at 512 code points', () => {
    expect(capturedText('😀'.repeat(600))).toBe('😀'.repeat(512));
  });

  it('removes control characters and replaces unpaired surrogates', () => {
    expect(capturedText('a\u0000b\r\nc\u0085d\ud800')).toBe('abcd\ufffd');
  });

  it.each([undefined, null, '', '\n'])('turns captured text without characters into null: %j', (value) => {
    expect(capturedText(value)).toBeNull();
  });
});
