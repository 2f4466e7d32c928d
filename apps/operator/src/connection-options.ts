import type { Platform } from '@leadback/platforms';
import { z } from 'zod';
import { noGoogleCredentials, withoutOtherKind } from './google-credentials.ts';

/** Options of all platforms; the schemas of each platform validate them. */
export const connectionOptions = [
  ['--pixel-id <id>', 'Meta: the data set (pixel)'],
  ['--pixel-code <code>', 'TikTok: the pixel'],
  ['--access-token <token>', 'Meta, TikTok: generated in Events Manager'],
  ['--app-secret <secret>', 'Meta: secret of the app that made the access token; requests then carry appsecret_proof'],
  ['--event-name <name>', 'Meta, TikTok: name of conversion events, default Purchase'],
  [
    '--test-event-code <code>',
    'Meta, TikTok: code of "Test events", which then shows deliveries of test keys; without it they are skipped. The platform may still measure with them',
  ],
  [
    '--action-source <place>',
    'Meta: where conversions take place, if not where the visitor landed: website, system_generated or other',
  ],
  ['--customer-id <id>', 'Google: the Ads account that owns the conversion action'],
  ['--conversion-action-id <id>', 'Google: the conversion action, of type "Import from clicks"'],
  ['--login-customer-id <id>', 'Google: the manager account through which access exists'],
  [
    '--service-account <file>',
    'Google: @ and the path of a service account key, such as @key.json; or else these three:',
  ],
  ['--client-id <id>', 'Google: OAuth client'],
  ['--client-secret <secret>', 'Google: secret of the OAuth client'],
  ['--refresh-token <token>', 'Google: with the scope of the Data Manager API'],
] as const;

/** Settings and credentials together; no name is used for both. */
export type ConnectionContent = Readonly<Record<string, unknown>>;

const contentSchema = z.record(z.string(), z.unknown());

export const storedContent = (settings: unknown, credentials: unknown): ConnectionContent => ({
  ...contentSchema.parse(settings),
  ...contentSchema.parse(credentials),
});

/**
 * Merges typed options into stored content and validates the result; an empty text removes a value. Throws a ZodError
 * that names every option that is missing, invalid, or of another platform.
 */
export const readConnection = (
  { name: platform, title, settingsSchema, credentialsSchema }: Platform,
  typed: ConnectionContent,
  before: ConnectionContent = {},
): { readonly settings: ConnectionContent; readonly credentials: ConnectionContent } => {
  const stored = platform === 'google' ? withoutOtherKind(before, typed) : before;
  const content = Object.fromEntries(Object.entries({ ...stored, ...typed }).filter(([, value]) => value !== ''));
  const settings = settingsSchema.pipe(contentSchema).safeParse(content);
  const credentials = credentialsSchema.pipe(contentSchema).safeParse(content);
  if (!settings.success || !credentials.success) {
    const none = platform === 'google' ? noGoogleCredentials(content) : undefined;
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
