import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The folder for buffered leads if none is set. Each database has its own: leads of one must not enter another. */
export const temporarySpoolFolder = (databaseUrl: string): string => {
  const name = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  return join(tmpdir(), `leadback-leads-${name}`);
};

/** Their descriptions are written to `.env.example` and docs/reference/settings.md. */
export const settingsSchema = z
  .object({
    ...appSettings(9100),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('landing').describe(secretsKeyText),
    PORT: portSchema.default(3000).describe(portText),
    ...connectionSettings,
    LANDING_URL: z.url().optional().meta(publicUrls.LANDING_URL),
    LEAD_SPOOL_FOLDER: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Holds leads (512 MB) while PostgreSQL and RabbitMQ are unavailable, and a copy of the pages. Use a persistent disk, which instances can share. If not set, a temporary folder',
      ),
    LEAD_RATE: z.coerce
      .number()
      .positive()
      .default(50)
      .describe('How many leads per second one network may leave on one page, at each instance'),
    LEAD_BURST: z.coerce.number().int().min(1).default(500).describe('How many of them at once'),
  })
  .superRefine(refuseWithoutProxy('LANDING_URL'))
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));
