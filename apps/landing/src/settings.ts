import { databaseAddress } from '@leadback/db';
import { brokerAddress } from '@leadback/server/broker';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionSettings } from '@leadback/server/http';
import { secretsKeysSchema } from '@leadback/domain/keys';
import { appSettings, portSchema, refuseUnsafe, serverSettings } from '@leadback/server/app';
import { z } from 'zod';

/** The folder for buffered leads if none is set. Each database has its own: leads of one must not enter another. */
export const temporarySpoolFolder = (databaseUrl: string): string => {
  const name = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  return join(tmpdir(), `leadback-leads-${name}`);
};

/** See .env.example for the settings. */
export const settingsSchema = z
  .object({
    ...appSettings(9100),
    ...serverSettings,
    SECRETS_KEY: secretsKeysSchema('landing'),
    PORT: portSchema.default(3000),
    ...connectionSettings,
    LEAD_SPOOL_FOLDER: z.string().min(1).optional(),
    LEAD_RATE: z.coerce.number().positive().default(50),
    LEAD_BURST: z.coerce.number().int().min(1).default(500),
  })
  .superRefine(refuseUnsafe({ DATABASE_URL: databaseAddress, AMQP_URL: brokerAddress }));
