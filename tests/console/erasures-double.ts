import type { ListErasuresReply } from '../../apps/console/src/contract/erasures.ts';

const at = new Date(Date.now() - 3_600_000).toISOString();

/** An erasure in each state, and receipts. */
export const erasuresDouble: ListErasuresReply = {
  started: [
    { id: 43, state: 'running', by: 'email', startedBy: 'ana@example.com', createdAt: at },
    { id: 42, state: 'nobody', by: 'reference', startedBy: 'ana@example.com', createdAt: at },
    { id: 41, state: 'failed', by: 'email', startedBy: 'operator.with.a.long.name@agency.example', createdAt: at },
  ],
  receipts: [
    {
      id: 1042,
      at,
      actor: 'ana@example.com',
      clients: 2,
      leads: 3,
      importedRows: 14,
      conversions: 5,
      pendingFeedback: 1,
    },
    { id: 977, at, actor: 'operator ops', clients: 1, leads: 1, importedRows: 0, conversions: 0, pendingFeedback: 0 },
  ],
};
