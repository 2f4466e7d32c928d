import { z } from 'zod';

const controlCharacter = /\p{Cc}/u;

const characters = (text: string) => Array.from(text).length;

const cleanText = (longest: number) =>
  z
    .string({ error: 'expected a string' })
    .refine((text) => text.isWellFormed(), 'has half of a surrogate pair')
    .refine((text) => !controlCharacter.test(text), 'has control characters')
    .transform((text) => text.trim())
    .refine((text) => characters(text) <= longest, `longer than ${longest} characters`);

/** A string that must say something: trimmed, without control characters, at most `longest` characters (code points). */
export const requiredText = (longest: number) => cleanText(longest).refine((text) => text !== '', 'must not be empty');

/** As `requiredText`, but absent, `null`, empty and blank all read as not sent: `undefined`. */
export const optionalText = (longest: number) =>
  cleanText(longest)
    .nullish()
    .transform((text) => text || undefined);
