import { credentialsKeys, encryptCredentials } from '@leadback/secrets';
import { PlatformConnection } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { audit } from '@leadback/people';
import { platformList } from '@leadback/platforms';
import { z } from 'zod';
import { command } from '../command.ts';
import { readConnection } from '../connection-content.ts';
import { eventOptions, kindsSchema, readEvents } from '../connection-events.ts';
import { connectionOptions } from '../connection-options.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { readKeyFiles } from '../read-key-files.ts';
import { requireSetting } from '../require-setting.ts';

const nextId = z.tuple([z.object({ id: z.coerce.number() })]);

export const createConnection = (supported = platformList) => {
  const choices = supported.map(({ name }) => name).join(' or ');
  const platformSchema = z.custom<PlatformName>(
    (typed) => supported.some(({ name }) => name === typed),
    `expected ${choices}`,
  );
  return command({
    name: 'connection create',
    summary: 'connect an account to a platform; new conversions are reported there',
    options: [
      ['--account <id>', 'account whose conversions are reported'],
      ['--platform <name>', choices],
      ...eventOptions,
      ...connectionOptions(supported),
    ],
    input: z.looseObject({ account: idSchema, platform: platformSchema, events: kindsSchema.optional() }),
    async run({ account: accountId, platform, events, ...typed }, { em, secretsKeys, platforms, actor }) {
      const keys = credentialsKeys(requireSetting('SECRETS_KEY', secretsKeys));
      const { settings, credentials } = readConnection(platforms[platform], await readKeyFiles(typed, supported));
      const { eventKinds } = readEvents(platforms[platform], settings, { events });
      return em.transactional(async (tx) => {
        const account = await findAccount(tx, accountId);
        // the encryption of the credentials is bound to the id, so it is drawn first
        const [{ id }] = nextId.parse(await tx.execute(`select nextval('platform_connection_id_seq') as id`));
        const connection = tx.create(PlatformConnection, {
          id,
          account,
          platform,
          settings,
          eventKinds,
          credentials: encryptCredentials(keys, { accountId, id }, credentials),
        });
        await tx.flush();
        const target = `connection ${id}`;
        await audit(tx, { actor, action: 'connection.create', accountId, target, details: { platform } });
        return { id, platform, state: connection.state };
      });
    },
  });
};
