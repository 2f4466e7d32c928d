import { listAudit } from '@leadback/people';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';

const limitMax = 10_000;

export const listAuditEntries = command({
  name: 'audit list',
  summary: 'show who did what, newest first: commands of the operator and actions in the console',
  options: [
    ['--account <id>', 'only actions in this account'],
    ['--limit <n>', `the newest n; default 50, at most ${limitMax}`],
  ],
  columns: ['at', 'actor', 'action', 'accountId', 'target', 'details'],
  input: z.object({ account: idSchema.optional(), limit: idSchema.pipe(z.number().max(limitMax)).default(50) }),
  async run(input, { pool }) {
    const { items } = await listAudit(pool, { accountId: input.account, limit: input.limit });
    return items.map(({ at, actor, action, accountId, target, details }) => ({
      at,
      actor,
      action,
      accountId,
      target,
      details,
    }));
  },
  shown: (entries) => entries.map(({ details, ...entry }) => ({ ...entry, details: JSON.stringify(details) })),
});
