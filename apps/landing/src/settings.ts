import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretsKeySchema } from '@leadback/domain';
import { appSettings, portSchema } from '@leadback/runtime';
import { z } from 'zod';

/** What the app reads from its environment; .env.example has a line on each. */
export const settingsSchema = z.object({
  ...appSettings(9100),
  DATABASE_URL: z.url(),
  AMQP_URL: z.url(),
  SECRETS_KEY: secretsKeySchema,
  PORT: portSchema.default(3000),
  TRUST_PROXY: z.coerce.number().int().min(0).default(0),
  LEAD_SPOOL_FOLDER: z.string().min(1).default(join(tmpdir(), 'leadback-lead-spool')),
});
