import type { Keys } from '@leadback/secrets';
import type { Person } from '@leadback/db';
import { stepOfCode } from './second-factor.ts';

const wrongCodesMax = 5;
const lockedMs = 15 * 60_000;

export type CodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  /** Accepted before. */
  | { readonly kind: 'used' }
  /** `isNew`: by this code. */
  | { readonly kind: 'locked'; readonly until: Date; readonly isNew: boolean };

/**
 * Checks a code of the second factor, and notes the outcome in the person, whose row the caller has locked. After five wrong
 * codes no code is right for 15 minutes. A code is accepted once; to send it again, as a double click does, is not wrong.
 */
export const checkCode = (keys: Keys, person: Person, code: string, now = new Date()): CodeVerdict => {
  const { id, secondFactor, lockedUntil } = person;
  if (lockedUntil != null && lockedUntil > now) return { kind: 'locked', until: lockedUntil, isNew: false };
  const step = secondFactor == null ? undefined : stepOfCode(keys, id, { encrypted: secondFactor, code });
  if (step !== undefined && step > person.codeStep) {
    person.codeStep = step;
    person.wrongCodes = 0;
    person.lockedUntil = null;
    return { kind: 'right' };
  }
  if (step !== undefined) return { kind: 'used' };
  person.wrongCodes += 1;
  if (person.wrongCodes < wrongCodesMax) return { kind: 'wrong' };
  const until = new Date(now.getTime() + lockedMs);
  person.wrongCodes = 0;
  person.lockedUntil = until;
  return { kind: 'locked', until, isNew: true };
};
