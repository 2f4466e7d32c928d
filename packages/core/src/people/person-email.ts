/**
 * The email of a person of the console as it is stored and compared: printable ASCII alone, by code point, in lower case.
 * Undefined for any other text. Unicode has letters that fold to those of another person (U+212A, the Kelvin sign, to k),
 * which is right for finding a client, and wrong for who may sign in.
 */
export const personEmail = (text: string): string | undefined => {
  const trimmed = text.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  return /^[\x21-\x7e]+$/.test(trimmed) ? trimmed.toLowerCase() : undefined;
};
