import { hashedIdentifier } from './sha256.ts';

// "no punctuation", and neither blanks nor symbols (as Meta's parameter builder has it); accents stay
const notOfTheName = /[^\p{L}\p{M}\p{N}]/gu;

const normalName = (written: string) => written.normalize('NFC').toLowerCase().replace(notOfTheName, '');

/** A part of a name, hashed: lower-case, without punctuation and blanks. */
export const hashedName = (written: string | undefined): string | undefined => hashedIdentifier(written, normalName);

/** A full name in two: the first word, and all the others. No platform documents a rule; this one suits most names. */
export const splitName = (full: string | null): { readonly first?: string; readonly rest?: string } => {
  const [first, ...others] = full?.trim().split(/\s+/) ?? [];
  if (!first) return {};
  return others.length > 0 ? { first, rest: others.join(' ') } : { first };
};
