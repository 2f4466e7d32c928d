import { z } from 'zod';

/** A setting of the environment. */
export interface PlatformSetting {
  readonly schema: z.ZodType<string>;
  /** The value without the setting: for a URL, that of the real platform. */
  readonly standard: string;
  /** `PLATFORM_SANDBOX_URL` replaces URLs. */
  readonly isUrl: boolean;
}

/** The URL of an API of the platform. */
export const platformUrl = (standard: string): PlatformSetting => ({
  schema: z.url().transform((url) => url.replace(/\/+$/, '')),
  standard,
  isUrl: true,
});

/** Settings as an app read them, with others beside those of platforms. */
export type SettingsRead = Readonly<Record<string, unknown>>;

/** The setting itself, or else the URL of the sandbox, or else the real platform. Throws a ZodError if it is invalid. */
export const readPlatformSetting = (
  name: string,
  { schema, standard, isUrl }: PlatformSetting,
  settings: SettingsRead,
): string => schema.parse(settings[name] ?? (isUrl ? settings['PLATFORM_SANDBOX_URL'] : undefined) ?? standard);
