import type { PlatformDescriptor } from '@leadback/platforms';
import { z } from 'zod';
import { noCredentials, withoutOtherKinds } from './credential-kinds.ts';
import type { FieldWords } from './field-words.ts';

/** Settings and credentials together; no name is used for both. */
export type ConnectionContent = Readonly<Record<string, unknown>>;

const contentSchema = z.record(z.string(), z.unknown());

/** Settings or credentials, as they are stored. */
export const contentOf = (stored: unknown): ConnectionContent => contentSchema.parse(stored);

/**
 * Merges typed values into stored content and validates the result; an empty text removes a value. Throws a ZodError
 * that names every value that is missing, invalid, or of another platform.
 */
export const readConnection = (
  platform: PlatformDescriptor,
  words: FieldWords,
  typed: ConnectionContent,
  before: ConnectionContent = {},
): { readonly settings: ConnectionContent; readonly credentials: ConnectionContent } => {
  const { title, settingsSchema, credentialsSchema } = platform;
  const stored = withoutOtherKinds(platform, words, before, typed);
  const content = Object.fromEntries(Object.entries({ ...stored, ...typed }).filter(([, value]) => value !== ''));
  const settings = settingsSchema.pipe(contentSchema).safeParse(content);
  const credentials = credentialsSchema.pipe(contentSchema).safeParse(content);
  if (!settings.success || !credentials.success) {
    const none = noCredentials(platform, words, content);
    const ofCredentials = none ? [none] : credentials.error?.issues;
    throw new z.ZodError([...(settings.error?.issues ?? []), ...(ofCredentials ?? [])]);
  }
  const known = { ...stored, ...settings.data, ...credentials.data };
  const foreign = Object.keys(typed).filter((name) => !Object.hasOwn(known, name) && typed[name] !== '');
  if (foreign.length > 0) {
    const message = `${title} has no such setting`;
    throw new z.ZodError(foreign.map((name) => ({ code: 'custom', path: [name], message, input: typed })));
  }
  return { settings: settings.data, credentials: credentials.data };
};
