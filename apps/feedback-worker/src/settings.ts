import { secretsKeySchema } from '@leadback/domain';
import { platformUrls } from '@leadback/platforms';
import { portSchema } from '@leadback/runtime';
import { z } from 'zod';

/** What the app reads from its environment; .env.example has a line on each. */
export const settingsSchema = z.object({
  DATABASE_URL: z.url(),
  AMQP_URL: z.url(),
  SECRETS_KEY: secretsKeySchema,
  HOST: z.string().default('0.0.0.0'),
  OPERATIONS_PORT: portSchema.default(9102),
  LOG_LEVEL: z.string().default('info'),
  META_API_URL: z.url().default(platformUrls.metaApiUrl),
  GOOGLE_API_URL: z.url().default(platformUrls.googleApiUrl),
  GOOGLE_OAUTH_URL: z.url().default(platformUrls.googleOauthUrl),
});
