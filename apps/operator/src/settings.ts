import { secretsKeysSchema } from '@leadback/domain';
import { platformUrlSettings } from '@leadback/platforms';
import { parseEnv } from '@leadback/runtime';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

/** What the command reads from its environment; .env.example has a line on each. */
export const settingsSchema = z.object({
  DATABASE_URL: z.url(),
  /** What only some commands need. */
  SECRETS_KEY: secretsKeysSchema.optional(),
  AMQP_URL: z.url().optional(),
  /** Where visitors reach apps/landing. */
  LANDING_URL: z.url().default('http://127.0.0.1:3000'),
  /** Whom `connection check` asks. */
  ...platformUrlSettings,
});

/** Throws an OperatorError that lists what is missing. */
export const readSettings = (): z.infer<typeof settingsSchema> => {
  const settings = parseEnv(settingsSchema);
  if (typeof settings === 'string') throw new OperatorError(settings);
  return settings;
};
