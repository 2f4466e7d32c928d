import { credentialsKeys, encryptCredentials, type SecretsKeys } from '@leadback/secrets';
import type { PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { audit } from '@leadback/people';
import { type PlatformDescriptor, platformList } from '@leadback/platforms';
import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { resumeAdvice } from '../connection-advice.ts';
import { type ConnectionContent, readConnection, storedContent } from '../connection-content.ts';
import { eventOptions, kindsSchema, mappingOptions, mappingSchema, readEvents } from '../connection-events.ts';
import { connectionOptions } from '../connection-options.ts';
import { findConnection } from '../find-connection.ts';
import { idSchema } from '../id-schema.ts';
import { readKeyFiles } from '../read-key-files.ts';
import { requireSetting } from '../require-setting.ts';
import { decryptConnection } from '../decrypt-connection.ts';
import { OperatorError } from '../operator-error.ts';

/** Empty if the stored credentials cannot be decrypted but all of them were typed. */
const storedCredentials = (
  connection: PlatformConnection,
  { credentialsSchema }: PlatformDescriptor,
  typed: ConnectionContent,
  keys: SecretsKeys,
): unknown => {
  try {
    return decryptConnection(connection, keys);
  } catch (error) {
    if (!credentialsSchema.safeParse(typed).success) throw error;
    return {};
  }
};

const changedByPartner = (id: number) =>
  `connection ${id} is a webhook, which its partner changes: PATCH /api/v1/webhook/${id}`;

export const changeConnection = (supported = platformList) =>
  command({
    name: 'connection change',
    summary: 'change settings and credentials; "" removes a value. Other values and the state stay',
    argument: '<id>',
    options: [...eventOptions, ...mappingOptions, ...connectionOptions(supported)],
    input: z.looseObject({
      id: idSchema,
      events: kindsSchema.optional(),
      mapEvent: mappingSchema.optional(),
      unmapEvent: z.array(z.string()).optional(),
    }),
    async run({ id, ...options }, { em, secretsKeys, platforms, actor }) {
      const keys = requireSetting('SECRETS_KEY', secretsKeys);
      if (Object.keys(options).length === 0) throw new OperatorError('nothing to change: give an option, see --help');
      const { events, mapEvent, unmapEvent, ...content } = options;
      const typed = await readKeyFiles(content, supported);
      return em.transactional(async (tx) => {
        const connection = await findConnection(tx, id);
        // the second of two concurrent changes starts from the result of the first
        await tx.lock(connection, LockMode.PESSIMISTIC_WRITE);
        await tx.refresh(connection);
        if (connection.platform === webhookName) throw new OperatorError(changedByPartner(id));
        const platform = platforms[connection.platform];
        const stored = storedContent(connection.settings, storedCredentials(connection, platform, typed, keys));
        const { settings, credentials } = readConnection(platform, typed, stored);
        const owner = { id, accountId: connection.account.id };
        connection.settings = settings;
        const told = readEvents(platform, settings, { events, mapEvent, unmapEvent }, connection);
        connection.eventKinds = told.eventKinds;
        connection.eventNames = told.eventNames;
        connection.credentials = encryptCredentials(credentialsKeys(keys), owner, credentials);
        const details = { fields: Object.keys(options) };
        const target = `connection ${id}`;
        await audit(tx, { actor, action: 'connection.change', accountId: owner.accountId, target, details });
        return { id, platform: connection.platform, state: connection.state, next: resumeAdvice(connection) };
      });
    },
  });
