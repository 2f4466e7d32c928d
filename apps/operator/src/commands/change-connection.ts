import { changeConnection as change } from '@leadback/administration';
import { platformList } from '@leadback/platforms';
import { z } from 'zod';
import { command } from '../command.ts';
import { resumeAdvice } from '../connection-advice.ts';
import { connectionOptions } from '../connection-options.ts';
import { connectionTools } from '../connection-tools.ts';
import { eventOptions, kindsSchema, mappingOptions, mappingSchema } from '../event-options.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';
import { fromArgvOption, readSecrets } from '../read-secrets.ts';
import { secretSources } from '../secret-sources.ts';

export const changeConnection = (supported = platformList) =>
  command({
    name: 'connection change',
    summary: 'change settings and credentials; "" removes a value. Other values and the state stay',
    argument: '<id>',
    options: [...eventOptions, ...mappingOptions, ...connectionOptions(supported), fromArgvOption],
    input: z.looseObject({
      id: idSchema,
      events: kindsSchema.optional(),
      mapEvent: mappingSchema.optional(),
      unmapEvent: z.array(z.string()).optional(),
    }),
    async run({ id, ...options }, context) {
      const { em, actor } = context;
      const tools = connectionTools(context);
      if (Object.keys(options).every((name) => name === 'fromArgvIKnow'))
        throw new OperatorError('nothing to change: give an option, see --help');
      const { events, mapEvent, unmapEvent, ...typed } = options;
      const content = await readSecrets(typed, supported, secretSources(context));
      const changed = await change(em, tools, { actor, id, content, told: { events, mapEvent, unmapEvent } });
      return { id, platform: changed.platform, state: changed.state, next: resumeAdvice(changed) };
    },
  });
