import { countWaitingFeedback } from '@leadback/delivery';
import { PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';

export const listConnections = command({
  name: 'connection list',
  summary:
    'list the connections of an account to platforms, their states and their pending deliveries, including tests',
  options: [['--account <id>', 'account of the connections']],
  columns: ['id', 'platform', 'events', 'eventNames', 'state', 'reason', 'waiting', 'createdAt'],
  input: z.object({ account: idSchema }),
  async run({ account }, { em }) {
    await findAccount(em, account);
    const connections = await em.find(
      PlatformConnection,
      { account, platform: { $ne: webhookName } },
      { orderBy: { id: 'asc' } },
    );
    const waiting = await countWaitingFeedback(em, account);
    return connections.map(({ id, platform, state, stateReason, eventKinds, eventNames, createdAt }) => ({
      id,
      platform,
      events: eventKinds.join(','),
      eventNames: Object.entries(eventNames)
        .map(([name, told]) => `${name}=${told}`)
        .join(', '),
      state,
      reason: stateReason,
      waiting: waiting.get(id) ?? 0,
      createdAt,
    }));
  },
});
