import { credentialsKeys, encryptCredentials } from '@leadback/secrets';
import { PlatformConnection } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { connectionOptions, readConnection } from '../connection-options.ts';
import { findAccount } from '../find-account.ts';
import { readKeyFile } from '../google-credentials.ts';
import { idSchema } from '../id-schema.ts';
import { requireSetting } from '../require-setting.ts';

const nextId = z.tuple([z.object({ id: z.coerce.number() })]);

export const createConnection = command({
  name: 'connection create',
  summary: 'connect an account to a platform; new conversions are reported there',
  options: [
    ['--account <id>', 'account whose conversions are reported'],
    ['--platform <name>', platformNames.join(' or ')],
    ...connectionOptions,
  ],
  input: z.looseObject({ account: idSchema, platform: z.enum(platformNames) }),
  async run({ account: accountId, platform, ...typed }, { em, secretsKeys, platforms }) {
    const keys = credentialsKeys(requireSetting('SECRETS_KEY', secretsKeys));
    const { settings, credentials } = readConnection(platforms[platform], await readKeyFile(typed));
    const account = await findAccount(em, accountId);
    // the encryption of the credentials is bound to the id, so it is drawn first
    const [{ id }] = nextId.parse(await em.execute(`select nextval('platform_connection_id_seq') as id`));
    const connection = em.create(PlatformConnection, {
      id,
      account,
      platform,
      settings,
      credentials: encryptCredentials(keys, { accountId, id }, credentials),
    });
    await em.flush();
    return { id, platform, state: connection.state };
  },
});
