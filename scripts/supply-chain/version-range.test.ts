import { describe, expect, it } from 'vitest';
import { isInRange } from './version-range.ts';

describe('the range of an advisory', () => {
  it.each([
    ['2.2.9', '<2.3.0'],
    ['2.3.0', '<=2.3.0'],
    ['8.17.0', '>=8.0.0 <8.17.1'],
    ['8.17.0', '>= 8.0.0, < 8.17.1'],
    ['7.5.9', '>=8.0.0 <8.17.1 || <7.5.10'],
    ['1.0.0', '=1.0.0'],
    ['1.0.0-beta.1', '1.0.0'],
  ])('contains %s in %s', (version, range) => {
    expect(isInRange(version, range)).toBe(true);
  });

  it.each([
    ['2.3.0', '<2.3.0'],
    ['2.10.0', '<2.9.1'],
    ['8.17.1', '>=8.0.0 <8.17.1'],
    ['7.5.10', '>=8.0.0 <8.17.1 || <7.5.10'],
    ['0.2.0', '>0.2.0'],
  ])('does not contain %s in %s', (version, range) => {
    expect(isInRange(version, range)).toBe(false);
  });

  it.each(['', 'latest', '<2.3.0 or so'])('is not guessed: %j', (range) => {
    expect(() => isInRange('1.0.0', range)).toThrow('cannot read the range');
  });
});
