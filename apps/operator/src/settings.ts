import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { egressSettings } from '@leadback/platforms/address';
import { erasureSettings } from '@leadback/core/erasure/perform-erasure';
import { masterKeysSchema } from '@leadback/domain/keys';
import { platformSettings } from '@leadback/platforms';
import { brokerUrl, databaseSettings, parseEnv, publicUrls, refuseUnsafe, secretsKeyText } from '@leadback/server/app';
import { z } from 'zod';
import { OperatorError } from './options.ts';

/** Their descriptions are written to `.env.example` and docs/reference/settings.md. */
export const settingsSchema = z
  .object({
    ...databaseSettings,
    /** Only some commands need the next two. */
    SECRETS_KEY: masterKeysSchema.optional().describe(secretsKeyText),
    AMQP_URL: brokerUrl.optional(),
    LANDING_URL: z.url().default('http://127.0.0.1:3000').meta(publicUrls.LANDING_URL),
    CONSOLE_URL: z.url().default('http://127.0.0.1:3004').meta(publicUrls.CONSOLE_URL),
    API_URL: z.url().optional().meta(publicUrls.API_URL),
    ALERTMANAGER_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The Alertmanager that `doctor` asks; `deploy/compose/server.yml` sets it'),
    ...erasureSettings,
    /** The platforms that `connection check` and `platforms check` call. */
    ...platformSettings(),
    ...egressSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));

/** Throws an OperatorError that lists missing and invalid settings. */
export const readSettings = (env: NodeJS.ProcessEnv): z.infer<typeof settingsSchema> => {
  if (env['DATABASE_URL'] === undefined || env['DATABASE_URL'] === '') {
    throw new OperatorError(
      'DATABASE_URL is not set, and Leadback does not run here. Run `npm start`, or set DATABASE_URL.',
    );
  }
  const settings = parseEnv(settingsSchema, env);
  if (typeof settings === 'string') throw new OperatorError(settings);
  return settings;
};

/** Throws an OperatorError if the setting is missing. */
export const requireSetting = <Value>(name: string, value: Value | undefined): Value => {
  if (value === undefined) throw new OperatorError(`this command needs ${name}; set it as .env.example shows`);
  return value;
};
