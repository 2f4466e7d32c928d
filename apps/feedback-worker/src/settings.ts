import { secretsKeysSchema } from '@leadback/domain';
import { platformUrlSettings } from '@leadback/platforms';
import { appSettings } from '@leadback/runtime';
import { z } from 'zod';

/** What the app reads from its environment; .env.example has a line on each. */
export const settingsSchema = z.object({
  ...appSettings(9102),
  DATABASE_URL: z.url(),
  AMQP_URL: z.url(),
  SECRETS_KEY: secretsKeysSchema,
  ...platformUrlSettings,
});
