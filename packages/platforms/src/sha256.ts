import { createHash } from 'node:crypto';

const hashShape = /^[0-9a-f]{64}$/i;

/** SHA-256 of the UTF-8 text in lower-case hex: the form in which the platforms take identifiers. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * An identifier as the platforms want it: normalised and hashed, or `undefined` where nothing usable was written.
 * One that was hashed before it reached us passes, lower-cased (as Meta's parameter builder has it).
 */
export const hashedIdentifier = (
  written: string | null | undefined,
  normalise: (text: string) => string | undefined,
): string | undefined => {
  const text = written?.trim() ?? '';
  if (hashShape.test(text)) return text.toLowerCase();
  const normal = normalise(text);
  return normal ? sha256(normal) : undefined;
};
