import { createHash } from 'node:crypto';

const hashShape = /^[0-9a-f]{64}$/i;

/** SHA-256 of the UTF-8 text in lower-case hex: the form in which the platforms take identifiers. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * An identifier in all its forms as the platforms want it, normalised and hashed; empty if nothing usable was written.
 * One that was hashed before it reached us passes, lower-cased (as Meta's parameter builder has it).
 */
export const hashedForms = (
  written: string | null | undefined,
  normalForms: (text: string) => readonly string[],
): readonly string[] => {
  const text = written?.trim() ?? '';
  if (text === '') return [];
  return hashShape.test(text) ? [text.toLowerCase()] : normalForms(text).map(sha256);
};

/** The same for an identifier with one form; `undefined` if nothing usable was written. */
export const hashedIdentifier = (
  written: string | null | undefined,
  normalise: (text: string) => string | undefined,
): string | undefined => {
  const [hash] = hashedForms(written, (text) => {
    const normal = normalise(text);
    return normal ? [normal] : [];
  });
  return hash;
};
