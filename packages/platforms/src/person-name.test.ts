import { describe, expect, it } from 'vitest';
import { names } from '../test/identifier-vectors.ts';
import { hashedName } from './person-name.ts';

describe('a part of a name', () => {
  it.each(names)('is hashed as the platforms do it: %j', (written, hash) => {
    expect(hashedName(written) ?? null).toBe(hash);
  });
});
