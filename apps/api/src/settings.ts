import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { egressSettings } from '@leadback/platforms/address';
import { erasureSettings } from '@leadback/core/erasure/perform-erasure';
import { connectionSettings } from '@leadback/server/http';
import { secretsKeysSchema } from '@leadback/domain/keys';
import { appSettings, portSchema, refuseUnsafe, serverSettings } from '@leadback/server/app';
import { z } from 'zod';

/** See .env.example for the settings. */
export const settingsSchema = z
  .object({
    ...appSettings(9101),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('api'),
    PORT: portSchema.default(3001),
    ...connectionSettings,
    LANDING_URL: z.url().optional(),
    ...erasureSettings,
    ...egressSettings,
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));

/** Host names that are not those of partners' webhooks. */
export const ownHosts = ({ LANDING_URL: url }: Pick<z.infer<typeof settingsSchema>, 'LANDING_URL'>): string[] =>
  url === undefined ? [] : [new URL(url).hostname];
