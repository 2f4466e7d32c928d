import { PlatformConnection } from '@leadback/db';
import { webhookDeleted, webhookName, webhookPauses } from '@leadback/domain';
import { refusalAdvice } from '../connection-advice.ts';
import type { Check } from './check.ts';
import { ok, warn } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'webhooks';
const rowsMax = 20;

/** Finds webhooks that Leadback has paused. Those that a partner or an operator has paused are as they want them. */
export const checkWebhooks: Check = async ({ em, platforms }) => {
  const platform = webhookName;
  const paused = { platform, state: 'paused', stateReason: { $in: Object.values(webhookPauses) } } as const;
  const [webhooks, count, all] = await Promise.all([
    em.find(PlatformConnection, paused, { orderBy: { id: 'asc' }, limit: rowsMax }),
    em.count(PlatformConnection, paused),
    em.count(PlatformConnection, { platform, $or: [{ stateReason: null }, { stateReason: { $ne: webhookDeleted } }] }),
  ]);
  if (all === 0) return [ok(check, 'there are no webhooks')];
  if (count === 0) return [ok(check, `${pluralize(all, 'webhook', 'webhooks')}, none was paused for failing`)];
  const findings = webhooks.map((webhook) => {
    const { id, account, stateReason } = webhook;
    const found = `webhook ${id} of account ${account.id} was paused: ${stateReason}`;
    return warn(check, found, refusalAdvice(webhook, platforms.webhook, stateReason ?? ''));
  });
  const others = count - webhooks.length;
  if (others === 0) return findings;
  return [
    ...findings,
    warn(
      check,
      `${pluralize(others, 'more webhook was', 'more webhooks were')} paused`,
      'See `webhook list --account`.',
    ),
  ];
};
