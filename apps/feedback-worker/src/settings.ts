import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { egressSettings } from '@leadback/platforms/address';
import { secretsKeysSchema } from '@leadback/domain/keys';
import { platformSettings } from '@leadback/platforms';
import { appSettings, refuseUnsafe, secretsKeyText, serverSettings } from '@leadback/server/app';
import { z } from 'zod';

/** Their descriptions are written to `.env.example` and docs/reference/settings.md. */
export const settingsSchema = z
  .object({
    ...appSettings(9102),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('feedback-worker').describe(secretsKeyText),
    ...platformSettings(),
    ...egressSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));
