import { PlatformConnection } from '@leadback/db';
import { refusalAdvice } from '../connection-advice.ts';
import type { Check } from './check.ts';
import { ok, wrong } from './finding.ts';
import { pluralize } from './format.ts';

const check = 'connections';
const rowsMax = 20;

/** Whether platforms let us in. */
export const checkConnections: Check = async ({ em, platforms }) => {
  const refused = { state: 'needs_attention' } as const;
  const [connections, count, others] = await Promise.all([
    em.find(PlatformConnection, refused, { orderBy: { id: 'asc' }, limit: rowsMax }),
    em.count(PlatformConnection, refused),
    em.count(PlatformConnection, { state: 'paused' }),
  ]);
  const paused = others === 0 ? '' : `; ${pluralize(others, 'is', 'are')} paused`;
  if (count === 0) return [ok(check, `none needs attention${paused}`)];
  const findings = connections.map((connection) => {
    const { id, account, stateReason } = connection;
    const platform = platforms[connection.platform];
    return wrong(
      check,
      `${platform.title} refuses connection ${id} of account ${account.id}: ${stateReason ?? 'no reason given'}`,
      refusalAdvice(connection, platform, stateReason ?? ''),
    );
  });
  if (count === connections.length) return findings;
  const rest = `${pluralize(count - connections.length, 'more connection needs', 'more connections need')} attention`;
  return [...findings, wrong(check, rest, 'Mend these first, and run `doctor` again.')];
};
