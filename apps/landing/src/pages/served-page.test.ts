import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipTemplate } from './served-page.ts';

const text = fc.string({ unit: 'binary', maxLength: 2_000 });

describe('gzipTemplate', () => {
  it('fills the slot of the plain and the compressed text alike', () => {
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), (before, after, slots) => {
        const fill = gzipTemplate(before, after);
        for (const slot of slots) {
          const whole = Buffer.from(before + slot + after);
          expect(Buffer.from(fill(slot).plain()).equals(whole)).toBe(true);
          expect(gunzipSync(fill(slot).gzipped()).equals(whole)).toBe(true);
        }
      }),
    );
  });

  it('accepts up to 65,535 bytes in the slot', () => {
    const fill = gzipTemplate('<', '>');
    const most = 'x'.repeat(65_535);
    expect(gunzipSync(fill(most).gzipped()).toString()).toBe(`<${most}>`);
    expect(() => fill(`${most}x`).gzipped()).toThrow('at most 65535 bytes');
  });
});
