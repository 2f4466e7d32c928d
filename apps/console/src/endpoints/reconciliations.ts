import { isCurrency, Refusal } from '@leadback/domain';
import { csvBody, csvBytes, csvParts, nothing, addToRequestLog } from '@leadback/server/http';
import { createReconciliation, replayReconciliation } from '@leadback/core/imports/files';
import {
  findReconciliation,
  listReconciliations,
  type ReconciliationRecord,
  type ReconciliationRowRecord,
  readReconciliationRows,
  reconciliationFile,
} from '@leadback/core/reconciliation/read';
import type { ConsoleContext } from '../context.ts';
import {
  createReconciliationInput,
  createReconciliationReply,
  type ListedRow,
  listedFileInput,
  listedRowsInput,
  listedRowsReply,
  type ReconciliationItem,
  reconciliationItem,
  reconciliationsInput,
  reconciliationsReply,
  replayInput,
} from '../contract/reconciliations.ts';
import type { Money } from '../contract/values.ts';
import type { PersonalData } from '../personal-data.ts';
import { dataFor } from '../sessions/authenticate.ts';
import { type OfAccount, ofAccount, ofId } from './guard.ts';
import { moneyOf, nextOf, noteDownload, tooOldOf } from './imports.ts';

const reconciliationsPerPage = 50;
const listedRowsPerPage = 100;

const timeOrNull = (at: Date | null) => at?.toISOString() ?? null;

const describeReplay = ({
  state,
  isDryRun,
  counts,
  money,
  tooOld,
  withoutTime,
}: NonNullable<ReconciliationRecord['replay']>) => ({
  state,
  isDryRun,
  counts,
  money: moneyOf(money),
  tooOld: tooOldOf(tooOld),
  withoutTime,
});

const describe = ({ money, replay, ...found }: ReconciliationRecord): ReconciliationItem => ({
  ...found,
  from: found.from.toISOString(),
  until: found.until.toISOString(),
  money: {
    matched: moneyOf(money.matched),
    amountDiffers: moneyOf(money.amountDiffers),
    currencyDiffers: moneyOf(money.currencyDiffers),
    duplicateInList: moneyOf(money.duplicateInList),
    missing: moneyOf(money.missing),
    missingWithoutClient: moneyOf(money.missingWithoutClient),
    extra: moneyOf(money.extra),
    undelivered: moneyOf(money.undelivered),
    refused: moneyOf(money.refused),
  },
  registered: moneyOf(money.registered),
  replay: replay && describeReplay(replay),
  createdAt: found.createdAt.toISOString(),
  finishedAt: timeOrNull(found.finishedAt),
});

const amountOf = (amount: string | null, currency: string | null): Money | null =>
  amount !== null && isCurrency(currency) ? { amount, currency } : null;

/** Without what names the client. */
const describeListedRow = (row: ReconciliationRowRecord, data: PersonalData): ListedRow => ({
  number: row.number,
  outcome: row.outcome,
  reference: data.reference(row.conversionExternalReference),
  amount: amountOf(row.amount, row.currency),
  registered: amountOf(row.registeredAmount, row.registeredCurrency),
  occurredAt: timeOrNull(row.occurredAt),
  conversionId: row.conversionId,
  undelivered: [...row.undelivered],
  message: data.message(row.message),
});

/** A reconciliation of the account of the path, live or test. */
const find = async (
  { pool }: ConsoleContext,
  { scope: { accountId } }: OfAccount,
  id: number,
): Promise<ReconciliationRecord> => {
  const found = await findReconciliation(pool, { accountId }, id);
  if (!found) throw new Refusal('not-found.reconciliation');
  return found;
};

export const reconciliationEndpoints = [
  ofAccount('import-sales', 'has-no-effect-yet', {
    method: 'post',
    path: '/accounts/:account/reconciliations',
    body: csvBody,
    input: createReconciliationInput.safeExtend({ body: csvBytes }),
    reply: createReconciliationReply,
    status: 202,
    async handle({ input, scope: { accountId }, actor, response }, { pool, contacts }) {
      const { from, to, test, name: fileName, body: bytes } = input;
      const about = { accountId, isTest: test === 'true', range: { from, to }, fileName };
      const id = await createReconciliation(pool, contacts, actor, about, bytes);
      addToRequestLog(response, { reconciliationId: id });
      return { id };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/reconciliations',
    input: reconciliationsInput,
    reply: reconciliationsReply,
    async handle({ input: { before }, scope: { accountId } }, { pool }) {
      const found = await listReconciliations(pool, accountId, { before, limit: reconciliationsPerPage });
      return { items: found.map(describe), next: nextOf(found, reconciliationsPerPage, ({ id }) => id) };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/reconciliations/:id',
    input: ofId,
    reply: reconciliationItem,
    handle: async ({ input: { id }, ...asked }, context) => describe(await find(context, asked, id)),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/reconciliations/:id/rows',
    input: listedRowsInput.extend(ofId.shape),
    reply: listedRowsReply,
    async handle({ input: { id, outcome, after = 0 }, ...asked }, context) {
      const data = dataFor(asked.session);
      await find(context, asked, id);
      const limit = listedRowsPerPage;
      const rows = await readReconciliationRows(context.pool, context.contacts, {
        accountId: asked.scope.accountId,
        id,
        outcome,
        after,
        limit,
      });
      return { items: rows.map((row) => describeListedRow(row, data)), next: nextOf(rows, limit, (row) => row.number) };
    },
  }),

  ofAccount('see-personal-data', 'fresh', {
    method: 'get',
    path: '/accounts/:account/reconciliations/:id/rows.csv',
    input: listedFileInput.extend(ofId.shape),
    reply: csvParts,
    mediaType: 'text/csv',
    async handle({ input: { id, outcome }, ...asked }, context) {
      await find(context, asked, id);
      const name = ['reconciliation', id, ...(outcome === undefined ? [] : [outcome])].join('-');
      await noteDownload(asked, context, { target: `reconciliation ${id}`, name });
      return reconciliationFile(context.pool, context.contacts, { accountId: asked.scope.accountId, id, outcome });
    },
  }),

  ofAccount('import-sales', 'fresh', {
    method: 'post',
    path: '/accounts/:account/reconciliations/:id/replay',
    input: replayInput.extend(ofId.shape),
    reply: nothing,
    status: 202,
    async handle({ input: { id, ...order }, ...asked }, context) {
      const { isTest } = await find(context, asked, id);
      const mode = { accountId: asked.scope.accountId, isTest };
      await replayReconciliation(context.pool, asked.actor, mode, { id, ...order });
      return {};
    },
  }),
];
