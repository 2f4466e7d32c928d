import { describe, expect, it, vi } from 'vitest';
import { cachedBy } from './pages.ts';

describe('cachedBy', () => {
  it('computes once for each key, whatever the result', () => {
    const compute = vi.fn<(name: string) => boolean>((name) => name.startsWith('bot'));
    const isBot = cachedBy();
    for (const name of ['bot', 'person', '', 'bot', 'person', '']) {
      expect(isBot(name, () => compute(name))).toBe(name === 'bot');
    }
    expect(compute).toHaveBeenCalledTimes(3);
  });

  it('forgets keys that are followed by 256 KiB of others', () => {
    const compute = vi.fn<() => boolean>(() => true);
    const cached = cachedBy();
    const find = (number: number) => cached(`${number} ${'x'.repeat(1_020)}`, compute);
    for (let number = 0; number < 300; number += 1) find(number);
    find(299);
    expect(compute).toHaveBeenCalledTimes(300);
    find(0);
    expect(compute).toHaveBeenCalledTimes(301);
  });
});
