import { z } from 'zod';
import { transform } from './transform.ts';

const controlCharacter = /\p{Cc}/u;
// for JSON Schema, whose tools set no flag, so that \P{Cc} is a literal for them
const controlCharacterFree = String.raw`^[^\x00-\x1F\x7F-\x9F]*$`;

const characters = (text: string) => Array.from(text).length;

const cleanText = (longest: number) =>
  z
    .string({ error: 'expected a string' })
    .meta({ maxLength: longest, pattern: controlCharacterFree })
    .refine((text) => text.isWellFormed(), 'has an unpaired surrogate')
    .refine((text) => !controlCharacter.test(text), 'has control characters')
    .pipe(transform((text: string) => text.trim()))
    .refine((text) => characters(text) <= longest, `longer than ${longest} characters`);

/** A non-empty string: trimmed, without control characters, at most `longest` code points. */
export const requiredText = (longest: number) =>
  cleanText(longest)
    .refine((text) => text !== '', 'must not be empty')
    .meta({ minLength: 1 });

/** Like `requiredText`, but absent, `null`, empty and blank become `undefined`. */
export const optionalText = (longest: number) =>
  cleanText(longest)
    .nullish()
    .pipe(transform((text: string | null | undefined) => text || undefined));
