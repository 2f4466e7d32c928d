import { optionalText } from './text.ts';

const oneAtSign = /^[^@\s]+@[^@\s]+$/u;

/**
 * An optional e-mail address, kept as it was sent (trimmed). One `@` with something on both sides and no blanks is all
 * that is asked: anything stricter would turn real customers away.
 */
export const emailAddressSchema = optionalText(254).refine(
  (email) => email === undefined || oneAtSign.test(email),
  'expected an e-mail address: one @, something on both sides, no blanks',
);

/** The form by which clients are found: two spellings of one address give the same key. */
export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();
