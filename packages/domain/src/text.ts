import { z } from 'zod';

const controlCharacter = /\p{Cc}/u;
// as JSON Schema says it
const controlCharacterFree = String.raw`^\P{Cc}*$`;

const characters = (text: string) => Array.from(text).length;

const cleanText = (longest: number) =>
  z
    .string({ error: 'expected a string' })
    .meta({ maxLength: longest, pattern: controlCharacterFree })
    .refine((text) => text.isWellFormed(), 'has half of a surrogate pair')
    .refine((text) => !controlCharacter.test(text), 'has control characters')
    .transform((text) => text.trim())
    .refine((text) => characters(text) <= longest, `longer than ${longest} characters`);

/** A string that must say something: trimmed, without control characters, at most `longest` characters (code points). */
export const requiredText = (longest: number) =>
  cleanText(longest)
    .refine((text) => text !== '', 'must not be empty')
    .meta({ minLength: 1 });

/** As `requiredText`, but absent, `null`, empty and blank all read as not sent: `undefined`. */
export const optionalText = (longest: number) =>
  cleanText(longest)
    .nullish()
    .transform((text) => text || undefined);
