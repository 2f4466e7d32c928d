import { secretsKeySchema } from '@leadback/domain';
import { portSchema } from '@leadback/runtime';
import { z } from 'zod';

/** What the app reads from its environment; .env.example has a line on each. */
export const settingsSchema = z.object({
  DATABASE_URL: z.url(),
  AMQP_URL: z.url(),
  SECRETS_KEY: secretsKeySchema,
  HOST: z.string().default('0.0.0.0'),
  PORT: portSchema.default(3001),
  OPERATIONS_PORT: portSchema.default(9101),
  LOG_LEVEL: z.string().default('info'),
  TRUST_PROXY: z.coerce.number().int().min(0).default(0),
});
