import { hash } from 'node:crypto';

const hashShape = /^[0-9a-f]{64}$/i;

/** SHA-256 of the UTF-8 text in lower-case hex, as the platforms require. */
export const sha256 = (text: string): string => hash('sha256', text);

/**
 * All forms of an identifier, normalized and hashed; empty if the text is not usable. An identifier that is already
 * hashed is only lower-cased, as in Meta's parameter builder.
 */
export const hashedForms = (
  written: string | null | undefined,
  normalForms: (text: string) => readonly string[],
): readonly string[] => {
  const text = written?.trim() ?? '';
  if (text === '') return [];
  return hashShape.test(text) ? [text.toLowerCase()] : normalForms(text).map(sha256);
};

/** The same for an identifier with one form; `undefined` if the text is not usable. */
export const hashedIdentifier = (
  written: string | null | undefined,
  normalise: (text: string) => string | undefined,
): string | undefined => {
  const [hashed] = hashedForms(written, (text) => {
    const normal = normalise(text);
    return normal ? [normal] : [];
  });
  return hashed;
};
