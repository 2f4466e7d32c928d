import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/messaging';
import { egressSettings } from '@leadback/egress';
import { secretsKeysSchema } from '@leadback/secrets';
import { platformSettings } from '@leadback/platforms';
import { appSettings, refuseUnsafe, serverSettings } from '@leadback/runtime';
import { z } from 'zod';

/** Each setting is explained in .env.example. */
export const settingsSchema = z
  .object({
    ...appSettings(9102),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('feedback-worker'),
    ...platformSettings(),
    ...egressSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));
