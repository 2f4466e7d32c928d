import { describe, expect, it, vi } from 'vitest';
import { cachedBy } from './cached-by.ts';

describe('cachedBy', () => {
  it('computes once for each text, whatever the result', () => {
    const compute = vi.fn<(name: string) => boolean>((name) => name.startsWith('bot'));
    const isBot = cachedBy((name) => name, compute);
    for (const name of ['bot', 'person', '', 'bot', 'person', '']) expect(isBot(name)).toBe(name === 'bot');
    expect(compute).toHaveBeenCalledTimes(3);
  });

  it('forgets texts that are followed by 256 KiB of others', () => {
    const compute = vi.fn<(number: number) => boolean>(() => true);
    const find = cachedBy((number) => `${number} ${'x'.repeat(1_020)}`, compute);
    for (let number = 0; number < 300; number += 1) find(number);
    find(299);
    expect(compute).toHaveBeenCalledTimes(300);
    find(0);
    expect(compute).toHaveBeenCalledTimes(301);
  });
});
