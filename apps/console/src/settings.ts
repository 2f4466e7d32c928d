import { databaseAddress } from '@leadback/db';
import { egressSettings } from '@leadback/platforms/address';
import { connectionSettings } from '@leadback/server/http';
import { platformSettings } from '@leadback/platforms';
import { appSettings, databaseSettings, portSchema, refuseUnsafe } from '@leadback/server/app';
import { secretsKeysSchema } from '@leadback/domain/keys';
import { z } from 'zod';
import { providerSettings, refuseHalfProvider } from './sessions/provider.ts';

/** See .env.example for the settings. */
export const settingsSchema = z
  .object({
    ...appSettings(9103),
    ...platformSettings(),
    ...databaseSettings,
    SECRETS_KEY: secretsKeysSchema('console'),
    PORT: portSchema.default(3004),
    ...connectionSettings,
    /** Public URL of apps/landing. */
    LANDING_URL: z.url().default('http://127.0.0.1:3000'),
    CONSOLE_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:3004'),
    API_URL: z.url({ protocol: /^https?$/ }).optional(),
    ...egressSettings,
    ...providerSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress }))
  .superRefine(refuseHalfProvider);

type Settings = z.output<typeof settingsSchema>;

/** Host names that are not those of partners' webhooks. */
export const ownHosts = ({ CONSOLE_URL, LANDING_URL }: Pick<Settings, 'CONSOLE_URL' | 'LANDING_URL'>): string[] =>
  [CONSOLE_URL, LANDING_URL].map((url) => new URL(url).hostname);
