import { createConnection as create } from '@leadback/administration';
import type { PlatformName } from '@leadback/domain';
import { platformList } from '@leadback/platforms';
import { z } from 'zod';
import { command } from '../command.ts';
import { connectionOptions } from '../connection-options.ts';
import { connectionTools } from '../connection-tools.ts';
import { eventOptions, kindsSchema } from '../event-options.ts';
import { idSchema } from '../id-schema.ts';
import { fromArgvOption, readSecrets } from '../read-secrets.ts';
import { secretSources } from '../secret-sources.ts';

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
      fromArgvOption,
    ],
    input: z.looseObject({ account: idSchema, platform: platformSchema, events: kindsSchema.optional() }),
    async run({ account: accountId, platform, events, ...typed }, context) {
      const { em, actor } = context;
      const tools = connectionTools(context);
      const content = await readSecrets(typed, supported, secretSources(context));
      const { id, state } = await create(em, tools, { actor, accountId, platform, content, told: { events } });
      return { id, platform, state };
    },
  });
};
