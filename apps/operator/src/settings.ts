import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { egressSettings } from '@leadback/platforms/address';
import { erasureSettings } from '@leadback/core/erasure/perform-erasure';
import { masterKeysSchema } from '@leadback/domain/keys';
import { platformSettings } from '@leadback/platforms';
import { databaseSettings, parseEnv, refuseUnsafe } from '@leadback/server/app';
import { z } from 'zod';
import { OperatorError } from './options.ts';

/** `.env.example` describes each setting. */
export const settingsSchema = z
  .object({
    ...databaseSettings,
    /** Only some commands need the next two. */
    SECRETS_KEY: masterKeysSchema.optional(),
    AMQP_URL: z.url().optional(),
    /** Public URL of apps/landing. */
    LANDING_URL: z.url().default('http://127.0.0.1:3000'),
    /** Public URL of apps/console. */
    CONSOLE_URL: z.url().default('http://127.0.0.1:3004'),
    ...erasureSettings,
    /** The platforms that `connection check` and `platforms check` call. */
    ...platformSettings(),
    ...egressSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));

/** Throws an OperatorError that lists missing and invalid settings. */
export const readSettings = (env: NodeJS.ProcessEnv): z.infer<typeof settingsSchema> => {
  const settings = parseEnv(settingsSchema, env);
  if (typeof settings === 'string') throw new OperatorError(settings);
  return settings;
};

/** Throws an OperatorError if the setting is missing. */
export const requireSetting = <Value>(name: string, value: Value | undefined): Value => {
  if (value === undefined) throw new OperatorError(`this command needs ${name}; set it as .env.example shows`);
  return value;
};
