import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipTemplate } from './gzip-template.ts';

const text = fc.string({ unit: 'binary', maxLength: 2_000 });

describe('a spliced text', () => {
  it('is the same compressed as it is plain, whatever is put into it', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(fc.tuple(text, text), { maxLength: 3 }),
        (start, middle, end, visitors) => {
          const spliced = gzipTemplate([start, middle, end]);
          for (const [one, other] of visitors) {
            const whole = Buffer.from(start + one + middle + other + end);
            expect(Buffer.from(spliced([one, other]).plain()).equals(whole)).toBe(true);
            expect(gunzipSync(spliced([one, other]).gzipped()).equals(whole)).toBe(true);
          }
        },
      ),
    );
  });

  it('takes as much as a block holds', () => {
    const spliced = gzipTemplate(['<', '>']);
    const most = 'x'.repeat(65_535);
    expect(gunzipSync(spliced([most]).gzipped()).toString()).toBe(`<${most}>`);
    expect(() => spliced([`${most}x`]).gzipped()).toThrow('at most 65535 bytes');
  });
});
