import type { ListErasuresReply } from '../../apps/console/src/contract/erasures.ts';

const at = new Date(Date.now() - 3_600_000).toISOString();

const askedFor = { requestedAt: at, actor: 'ana@example.com' };
const receiptOf = (id: string) => ({
  id,
  at,
  url: `https://go.example/data/receipt/${id}`,
  signed: { receipt: '{}', signature: '', keyId: '' },
});

/** An erasure in each state, and receipts. */
export const erasuresDouble: ListErasuresReply = {
  started: [
    { ...askedFor, id: '6hYkP0sVq3RtB1nWc8ZxLe', state: 'pending', by: 'email' },
    { ...askedFor, id: 'mD2uJ7gAz5KoE9fTi4QvNb', state: 'pending', by: 'reference' },
    { ...askedFor, id: 'X1cS8rHw6MpU0jGl3YyOka', state: 'failed', by: 'lead', actor: 'visitor' },
  ],
  asked: [
    {
      id: 'Qn7bV2xJd9TgE4sLk8HwRy',
      leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs',
      way: 'reference',
      requestedAt: at,
      until: new Date(Date.now() + 29 * 86_400_000).toISOString(),
    },
  ],
  receipts: [
    {
      ...receiptOf('1042Zk3vT9qLm2XcB7nRw5'),
      actor: 'operator.with.a.long.name@agency.example',
      clients: 2,
      leads: 3,
      importedRows: 14,
      listedRows: 2,
      conversions: 5,
      pendingSkipped: 1,
      isSuppressed: true,
    },
    {
      ...receiptOf('b5RdF0eNs8ItC4hVx2PqWy'),
      actor: 'operator ops',
      clients: 1,
      leads: 1,
      importedRows: 0,
      listedRows: 0,
      conversions: 0,
      pendingSkipped: 0,
      isSuppressed: false,
    },
  ],
};
