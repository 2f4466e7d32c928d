import { pauseConnection as pause } from '@leadback/delivery';
import { audit } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { findConnection } from '../find-connection.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

export const pauseConnection = command({
  name: 'connection pause',
  summary:
    'stop sending over a connection; pending deliveries wait until `connection resume`, and conversions registered meanwhile are never reported over it',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    const feedback = await em.transactional(async (tx) => {
      const { account } = await findConnection(tx, id);
      await audit(tx, { actor, action: 'connection.pause', accountId: account.id, target: `connection ${id}` });
      const paused = await pause(tx, id);
      // a webhook that was deleted
      if (paused === undefined) throw new OperatorError(`there is no connection ${id}`);
      return paused;
    });
    return {
      id,
      state: 'paused',
      feedback,
      next: `\`connection resume ${id}\` sends the pending deliveries; conversions registered meanwhile are never reported over it.`,
    };
  },
});
