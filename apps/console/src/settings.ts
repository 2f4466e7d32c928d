import { databaseAddress } from '@leadback/db';
import { egressSettings } from '@leadback/platforms/address';
import { connectionSettings, refuseWithoutProxy } from '@leadback/server/http';
import { platformSettings } from '@leadback/platforms';
import { sourceSettings } from '@leadback/core/sources/kinds/index';
import {
  appSettings,
  databaseSettings,
  portSchema,
  portText,
  publicUrls,
  refuseUnsafe,
  secretsKeyText,
} from '@leadback/server/app';
import { secretsKeysSchema } from '@leadback/domain/keys';
import { z } from 'zod';
import { providerSettings, refuseHalfProvider } from './sessions/provider.ts';

/** Their descriptions are written to `.env.example` and docs/reference/settings.md. */
export const settingsSchema = z
  .object({
    ...appSettings(9103),
    ...platformSettings(),
    ...sourceSettings(),
    ...databaseSettings,
    SECRETS_KEY: secretsKeysSchema('console').describe(secretsKeyText),
    PORT: portSchema.default(3004).describe(portText),
    ...connectionSettings,
    LANDING_URL: z.url().default('http://127.0.0.1:3000').meta(publicUrls.LANDING_URL),
    CONSOLE_URL: z
      .url({ protocol: /^https?$/ })
      .default('http://127.0.0.1:3004')
      .meta(publicUrls.CONSOLE_URL),
    API_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta(publicUrls.API_URL),
    ...egressSettings,
    ...providerSettings,
  })
  .superRefine(refuseWithoutProxy('CONSOLE_URL'))
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress }))
  .superRefine(refuseHalfProvider);

type Settings = z.output<typeof settingsSchema>;

/** Host names that are not those of partners' webhooks. */
export const ownHosts = ({ CONSOLE_URL, LANDING_URL }: Pick<Settings, 'CONSOLE_URL' | 'LANDING_URL'>): string[] =>
  [CONSOLE_URL, LANDING_URL].map((url) => new URL(url).hostname);
