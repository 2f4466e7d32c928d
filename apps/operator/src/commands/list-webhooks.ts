import { countWaitingFeedback } from '@leadback/delivery';
import { PlatformConnection } from '@leadback/db';
import { webhookDeleted, webhookName, webhookSettingsSchema } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { refusalAdvice } from '../connection-advice.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';

export const listWebhooks = command({
  name: 'webhook list',
  summary:
    "list a partner's webhooks, why they are paused, and their pending deliveries; `connection pause`, `resume` and `check` take their ids",
  options: [['--account <id>', 'account of the webhooks']],
  columns: ['id', 'url', 'events', 'isTest', 'state', 'reason', 'waiting', 'lastAcceptedAt', 'createdAt', 'next'],
  input: z.object({ account: idSchema }),
  async run({ account }, { em, platforms }) {
    await findAccount(em, account);
    const own = { account, platform: webhookName } as const;
    const webhooks = await em.find(PlatformConnection, own, { orderBy: { id: 'asc' } });
    const waiting = await countWaitingFeedback(em, account);
    return webhooks
      .filter(({ stateReason }) => stateReason !== webhookDeleted)
      .map((webhook) => {
        const { id, settings, eventKinds, isTest, state, stateReason, lastAcceptedAt, createdAt } = webhook;
        return {
          id,
          url: webhookSettingsSchema.parse(settings).url,
          events: eventKinds.join(','),
          isTest,
          state,
          reason: stateReason,
          waiting: waiting.get(id) ?? 0,
          lastAcceptedAt,
          createdAt,
          next:
            state === 'active' || stateReason == null ? null : refusalAdvice(webhook, platforms.webhook, stateReason),
        };
      });
  },
});
