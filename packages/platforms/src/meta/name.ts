// "no punctuation", and neither blanks nor symbols (as Meta's parameter builder has it); accents stay
const notOfTheName = /[^\p{L}\p{M}\p{N}]/gu;

/** `fn` and `ln` before hashing: lower-case, without punctuation and blanks. */
export const metaName = (written: string): string => written.normalize('NFC').toLowerCase().replace(notOfTheName, '');

/** A full name in two: the first word, and all the others. Meta documents no rule; this one suits most names. */
export const splitName = (full: string | null): { readonly first?: string; readonly rest?: string } => {
  const [first, ...others] = full?.trim().split(/\s+/) ?? [];
  if (!first) return {};
  return others.length > 0 ? { first, rest: others.join(' ') } : { first };
};
