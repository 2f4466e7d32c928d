import express, { type Router } from 'express';
import type { ListErasuresReply } from '../../apps/console/src/contract/erasures.ts';
import type { ImportItem, ToldRowsReply } from '../../apps/console/src/contract/imports.ts';
import type { ListedRow, ReconciliationItem } from '../../apps/console/src/contract/reconciliations.ts';
import { shownReference } from '../../apps/console/src/contract/shared.ts';

const emptyAccount = '2';
const minuteMs = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

const trial: ImportItem = {
  id: 12,
  of: 'conversion',
  isTest: false,
  isDryRun: true,
  state: 'done',
  rows: 1260,
  done: 1260,
  counts: { created: 1204, existing: 0, repeated: 31, differs: 4, refused: 21 },
  money: [
    { currency: 'USD', amount: '31220.00' },
    { currency: 'ARS', amount: '18250000.50' },
  ],
  tooOld: [
    { platform: 'meta', rows: 88 },
    { platform: 'tiktok', rows: 88 },
  ],
  unshared: 12,
  emailReferences: 0,
  fileName: 'ventas-octubre-2026.csv',
  createdBy: 'ana@example.com',
  trialId: null,
  registeredAs: null,
  message: null,
  createdAt: ago(3),
  finishedAt: ago(2),
};

const imports: readonly ImportItem[] = [
  {
    ...trial,
    id: 14,
    isDryRun: true,
    state: 'running',
    done: 400,
    isTest: true,
    fileName: 'clients.csv',
    of: 'client',
  },
  { ...trial, id: 13, state: 'refused', rows: 0, done: 0, money: [], message: 'line 4: 5 cells, but the header has 4' },
  trial,
  { ...trial, id: 11, isDryRun: false, fileName: null, createdBy: null, tooOld: [], unshared: 0, createdAt: ago(3000) },
];

const told: ToldRowsReply['items'] = Array.from({ length: 21 }, (_, index) => ({
  line: 17 + index * 40,
  reference: index % 5 === 0 ? null : shownReference.parse(`order-2026-${8700 + index}`),
  message:
    index % 2 === 0
      ? 'no client matches clientExternalReference or email'
      : 'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23',
}));

const list: ReconciliationItem = {
  id: 4,
  isTest: false,
  state: 'done',
  from: '2026-10-01T00:00:00.000Z',
  until: '2026-11-01T00:00:00.000Z',
  rows: 1204,
  done: 1204,
  counts: {
    matched: 1180,
    amountDiffers: 5,
    currencyDiffers: 1,
    duplicateInList: 1,
    missing: 12,
    missingWithoutClient: 5,
    extra: 2,
    undelivered: 11,
    refused: 0,
  },
  money: {
    matched: [{ currency: 'USD', amount: '98120.40' }],
    amountDiffers: [{ currency: 'USD', amount: '1204.00' }],
    currencyDiffers: [{ currency: 'ARS', amount: '149.90' }],
    duplicateInList: [{ currency: 'USD', amount: '80.00' }],
    missing: [
      { currency: 'USD', amount: '1420.00' },
      { currency: 'ARS', amount: '250000.00' },
    ],
    missingWithoutClient: [{ currency: 'USD', amount: '310.00' }],
    extra: [{ currency: 'USD', amount: '59.80' }],
    undelivered: [{ currency: 'USD', amount: '812.00' }],
    refused: [],
  },
  registered: [{ currency: 'USD', amount: '1100.00' }],
  replay: null,
  fileName: 'october.csv',
  createdBy: 'ana@example.com',
  createdAt: ago(30),
  finishedAt: ago(29),
};

const rows: readonly ListedRow[] = Array.from({ length: 12 }, (_, index) => ({
  number: index + 1,
  outcome: 'missing',
  reference: shownReference.parse(`order-2026-${8731 + index}`),
  amount: { currency: index % 4 === 0 ? 'ARS' : 'USD', amount: index % 4 === 0 ? '250000.00' : '149.90' },
  registered: null,
  occurredAt: ago(40_000 + index * 60),
  conversionId: index % 3 === 0 ? 4000 + index : null,
  undelivered: [],
  message: index === 2 ? 'no client matches clientExternalReference or email' : null,
}));

/** Imports and reconciliations of an account; 2 has none. */
export const filesDouble = (): Router => {
  const router = express.Router({ mergeParams: true });
  router.get('/:account/imports', ({ params }, response) => {
    response.json({ items: params.account === emptyAccount ? [] : imports, next: null });
  });
  router.get('/:account/imports/:id', ({ params }, response) => {
    response.json(imports.find(({ id }) => id === Number(params.id)) ?? trial);
  });
  router.get('/:account/imports/:id/rows', (_request, response) => {
    response.json({ items: told, next: null } satisfies ToldRowsReply);
  });
  router.get('/:account/reconciliations', ({ params }, response) => {
    response.json({ items: params.account === emptyAccount ? [] : [list], next: null });
  });
  router.get('/:account/reconciliations/:id', (_request, response) => {
    response.json(list);
  });
  router.get('/:account/reconciliations/:id/rows', (_request, response) => {
    response.json({ items: rows, next: null });
  });
  return router;
};

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
