import { describe, expect, it } from 'vitest';
import { inAdvance } from './pages/served-page.ts';

describe('inAdvance', () => {
  it('hands out each value once, and makes more only when none is left', () => {
    const made: string[] = [];
    const next = inAdvance(3, () => {
      made.push(String(made.length));
      return String(made.length);
    });
    expect(made).toHaveLength(0);
    const first = [next(), next(), next()];
    expect(made).toHaveLength(3);
    const all = [...first, next()];
    expect(made).toHaveLength(6);
    expect(new Set(all).size).toBe(4);
  });
});
