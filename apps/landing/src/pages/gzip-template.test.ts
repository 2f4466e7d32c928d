import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gzipTemplate } from './gzip-template.ts';

const text = fc.string({ unit: 'binary', maxLength: 2_000 });

describe('gzipTemplate', () => {
  it('fills the slots of the plain and the compressed text alike', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.array(fc.tuple(text, text), { maxLength: 3 }),
        (start, middle, end, visitors) => {
          const fill = gzipTemplate([start, middle, end]);
          for (const [one, other] of visitors) {
            const whole = Buffer.from(start + one + middle + other + end);
            expect(Buffer.from(fill([one, other]).plain()).equals(whole)).toBe(true);
            expect(gunzipSync(fill([one, other]).gzipped()).equals(whole)).toBe(true);
          }
        },
      ),
    );
  });

  it('accepts up to 65,535 bytes per slot', () => {
    const fill = gzipTemplate(['<', '>']);
    const most = 'x'.repeat(65_535);
    expect(gunzipSync(fill([most]).gzipped()).toString()).toBe(`<${most}>`);
    expect(() => fill([`${most}x`]).gzipped()).toThrow('at most 65535 bytes');
  });

  it.each([[[]], [['one', 'too many']]])('refuses the slots %j for a text with one slot', (slots: string[]) => {
    const fill = gzipTemplate(['<', '>']);
    expect(() => fill(slots)).toThrow(new RangeError('number of slots: expected 1'));
  });
});
