import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { egressSettings } from '@leadback/platforms/address';
import { erasureSettings } from '@leadback/core/erasure/perform-erasure';
import { sourceSettings } from '@leadback/core/sources/kinds/index';
import { connectionSettings, refuseWithoutProxy } from '@leadback/server/http';
import { secretsKeysSchema } from '@leadback/domain/keys';
import {
  appSettings,
  portSchema,
  portText,
  publicUrls,
  refuseUnsafe,
  secretsKeyText,
  serverSettings,
} from '@leadback/server/app';
import { z } from 'zod';

/** Their descriptions are written to `.env.example` and docs/reference/settings.md. */
export const settingsSchema = z
  .object({
    ...appSettings(9101),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('api').describe(secretsKeyText),
    PORT: portSchema.default(3001).describe(portText),
    ...connectionSettings,
    LANDING_URL: z.url().optional().meta(publicUrls.LANDING_URL),
    API_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta(publicUrls.API_URL),
    ...erasureSettings,
    ...egressSettings,
    ...sourceSettings(),
  })
  .superRefine(refuseWithoutProxy('API_URL'))
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));

/** Host names that are not those of partners' webhooks. */
export const ownHosts = ({ LANDING_URL: url }: Pick<z.infer<typeof settingsSchema>, 'LANDING_URL'>): string[] =>
  url === undefined ? [] : [new URL(url).hostname];
