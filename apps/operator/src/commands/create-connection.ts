import { credentialsKey, PlatformConnection, sealCredentials } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import { platformRegistry, platformUrls } from '@leadback/platforms';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';

const platforms = platformRegistry(platformUrls);

const nextId = z.tuple([z.object({ id: z.coerce.number() })]);

export const createConnection = command({
  name: 'connection create',
  summary: 'connect an account to a platform; its conversions are reported there from now on',
  options: [
    ['--account <id>', 'whose conversions are reported'],
    ['--platform <name>', platformNames.join(' or ')],
    ['--pixel-id <id>', 'Meta: the data set (pixel)'],
    ['--pixel-code <code>', 'TikTok: the pixel'],
    ['--access-token <token>', 'Meta, TikTok: generated in Events Manager'],
    ['--event-name <name>', 'Meta, TikTok: what a conversion is called, default Purchase'],
    [
      '--test-event-code <code>',
      'Meta, TikTok: where "Test events" shows what test keys register; without it that is not sent. They may measure with it all the same',
    ],
    ['--customer-id <id>', 'Google: the Ads account that owns the conversion action'],
    ['--conversion-action-id <id>', 'Google: the conversion action, of type "Import from clicks"'],
    ['--login-customer-id <id>', 'Google: the manager account through which access exists'],
    ['--client-id <id>', 'Google: OAuth client'],
    ['--client-secret <secret>', 'Google: secret of the OAuth client'],
    ['--refresh-token <token>', 'Google: with the scope of the Data Manager API'],
  ],
  // what a platform asks for stands in its own schemas, which read the same options
  input: z.looseObject({ account: idSchema, platform: z.enum(platformNames) }),
  async run({ account: accountId, platform, ...options }, { em, secretsKey }) {
    const { settingsSchema, credentialsSchema } = platforms[platform];
    const settings = settingsSchema.safeParse(options);
    const credentials = credentialsSchema.safeParse(options);
    if (!settings.success || !credentials.success) {
      throw new z.ZodError([...(settings.error?.issues ?? []), ...(credentials.error?.issues ?? [])]);
    }
    const account = await findAccount(em, accountId);
    // the id is part of what the credentials are sealed with, so it is drawn first
    const [{ id }] = nextId.parse(await em.execute(`select nextval('platform_connection_id_seq') as id`));
    const connection = em.create(PlatformConnection, {
      id,
      account,
      platform,
      settings: settings.data,
      credentials: sealCredentials(credentialsKey(secretsKey), { accountId, id }, credentials.data),
    });
    await em.flush();
    return { id, platform, state: connection.state };
  },
});
