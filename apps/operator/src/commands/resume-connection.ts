import { resumeConnection as resume } from '@leadback/delivery';
import { audit } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { findConnection } from '../find-connection.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const resumeConnection = command({
  name: 'connection resume',
  summary: 'send the pending deliveries of a connection that was paused or needed attention',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const feedback = await em.transactional(async (tx) => {
      const { account } = await findConnection(tx, id);
      await audit(tx, { actor, action: 'connection.resume', accountId: account.id, target: `connection ${id}` });
      const resumed = await resume(tx, id);
      // a webhook that was deleted
      if (resumed === undefined) throw new OperatorError(`there is no connection ${id}`);
      return resumed;
    });
    return { id, state: 'active', feedback };
  },
});
