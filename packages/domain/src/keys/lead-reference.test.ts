import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isGenuineLeadReference, issueLeadReference, leadReferenceKeys, leadReferenceOf } from './tokens.ts';

const keys = leadReferenceKeys([randomBytes(32)]);

describe('lead reference', () => {
  it('issues unique lead references of 22 characters of [0-9A-Za-z]', () => {
    const issued = Array.from({ length: 1000 }, () => issueLeadReference(keys));
    expect(issued.every((reference) => /^[0-9A-Za-z]{22}$/.test(reference))).toBe(true);
    expect(new Set(issued).size).toBe(issued.length);
  });

  it('keeps lead references that were issued before genuine', () => {
    const fixed = [createSecretKey(Buffer.alloc(32, 7))] as const;
    expect(leadReferenceOf(fixed, 'seed')).toBe('SQWE7AYT3mtquK3MWORH0k');
    expect(isGenuineLeadReference(fixed, 'SQWE7AYT3mtquK3MWORH0k')).toBe(true);
  });

  it('recognises a lead reference, but no damaged, invented or foreign one', () => {
    const reference = issueLeadReference(keys);
    const swapped = (reference.startsWith('a') ? 'b' : 'a') + reference.slice(1);
    expect(isGenuineLeadReference(keys, reference)).toBe(true);
    const foreign = issueLeadReference(leadReferenceKeys([randomBytes(32)]));
    for (const other of [swapped, reference.slice(0, -1), '{serviceId}', '', foreign]) {
      expect(isGenuineLeadReference(keys, other)).toBe(false);
    }
  });
});
