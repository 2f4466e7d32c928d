import { PlatformConnection } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { refusalAdvice } from '../connection-advice.ts';
import type { Check } from './check.ts';
import { ok, fail } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'connections';
const rowsMax = 20;

export const checkConnections: Check = async ({ em, platforms }) => {
  const needsAttention = { state: 'needs_attention' } as const;
  const [connections, count, others] = await Promise.all([
    em.find(PlatformConnection, needsAttention, { orderBy: { id: 'asc' }, limit: rowsMax }),
    em.count(PlatformConnection, needsAttention),
    em.count(PlatformConnection, { state: 'paused', platform: { $ne: webhookName } }),
  ]);
  const paused = others === 0 ? '' : `; ${pluralize(others, 'is', 'are')} paused`;
  if (count === 0) return [ok(check, `none needs attention${paused}`)];
  const findings = connections.map((connection) => {
    const { id, account, stateReason } = connection;
    const platform = platforms[connection.platform];
    return fail(
      check,
      `${platform.title} rejects connection ${id} of account ${account.id}: ${stateReason ?? 'no reason given'}`,
      refusalAdvice(connection, platform, stateReason ?? ''),
    );
  });
  if (count === connections.length) return findings;
  const rest = `${pluralize(count - connections.length, 'more connection needs', 'more connections need')} attention`;
  return [...findings, fail(check, rest, 'Fix these first, then run `doctor` again.')];
};
