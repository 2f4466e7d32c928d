import { describe, expect, it } from 'vitest';
import { kindTarget } from './kind-path.ts';

describe('a link to a page that was changed on its way', () => {
  it.each([
    ['/D-ABC?gclid=Cj0K', '/d-abc?gclid=Cj0K'],
    ['/d-abc%20?gclid=x', '/d-abc?gclid=x'],
    ['/%20d-abc?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc+?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%3Fgclid%3DCj0K', '/d-abc?gclid=Cj0K'],
    ['/d-abc%3Fgclid%3DCj0K%26utm_source%3Dx', '/d-abc?gclid=Cj0K&utm_source=x'],
    ['/d-abc%3Fgclid=a%2Bb', '/d-abc?gclid=a%2Bb'],
    ['/d-abc%3fgclid%3da%252Bb', '/d-abc?gclid=a%2Bb'],
    ['/d-abc&gclid=x', '/d-abc?gclid=x'],
    ['/d-abc&gclid=x?utm_source=y', '/d-abc?gclid=x&utm_source=y'],
    ['/d-abc;gclid=x', '/d-abc?gclid=x'],
    ['/d-abc,?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc)?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc.?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%22?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%E2%80%8B?gclid=x', '/d-abc?gclid=x'],
    ['//d-abc?gclid=x', '/d-abc?gclid=x'],
    ['/./d-abc', undefined],
    ['///D-abc///', '/d-abc'],
    ['/%2Fd-abc', '/d-abc'],
    ['/d-abc//?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc/index.html', '/d-abc'],
    ['/d-abc/gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%26gclid%3Dx', '/d-abc?gclid=x'],
    ['/d-abc%23top', '/d-abc'],
    ['/d-abc-?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%ZZ?gclid=x', '/d-abc?gclid=x'],
    ['/d-abc%3Fname%3D%FF', '/d-abc'],
    ['/d-abc?gclid=x', undefined],
    ['/d-abc', undefined],
    ['/', undefined],
    ['/%20', undefined],
    ['/data/erase', undefined],
    ['/API/v1', undefined],
    ['/-', undefined],
    [`/${'a'.repeat(65)}`, undefined],
  ])('%s is %s', (sent, meant) => {
    expect(kindTarget(sent)).toBe(meant);
  });
});
