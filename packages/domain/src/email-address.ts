import { optionalText } from './text.ts';

const oneAtSign = /^[^@\s]+@[^@\s]+$/u;

/**
 * An optional email address, stored as sent (trimmed). The check is only one `@` with text on both sides and no
 * spaces: stricter rules would turn real customers away.
 */
export const emailAddressSchema = optionalText(254).refine(
  (email) => email === undefined || oneAtSign.test(email),
  'expected an email address: one @, text on both sides, no spaces',
);

/** The normalised form by which clients are found. */
export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();
