import { Refusal } from '@leadback/domain';
import { csvBody, csvBytes, csvParts, tellInRequestLog } from '@leadback/server/http';
import { createReconciliation as storeFile, replayReconciliation as replay } from '@leadback/core/imports/files';
import {
  findReconciliation,
  listReconciliations as list,
  type ReconciliationRecord,
  reconciliationFile,
  readReconciliationRows,
} from '@leadback/core/reconciliation/read';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import {
  createReconciliationParameters,
  createReconciliationReply,
  listedFileInput,
  listedRowsInput,
  listedRowsPerPage,
  listedRowsReply,
  readReconciliationInput,
  reconciliationItem,
  reconciliationsInput,
  reconciliationsPerPage,
  reconciliationsReply,
  replayInput,
  replayReply,
} from '../contract/reconciliations.ts';
import { dataFor, scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { attachment, describeListedRow, describeReconciliation, pageOf } from './files.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

const find = async ({ pool }: ConsoleContext, response: Response, id: number): Promise<ReconciliationRecord> => {
  const { accountId } = scopeOf(response);
  const found = await findReconciliation(pool, { accountId }, id);
  if (!found) throw new Refusal('not-found.reconciliation');
  return found;
};

export const createReconciliation = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/reconciliations',
  parameters: createReconciliationParameters,
  body: csvBody,
  input: csvBytes,
  replies: { 202: { body: createReconciliationReply } },
  async handle({ input: bytes, parameters: { from, to, test, name: fileName }, response }, { pool, contacts }) {
    const { accountId } = scopeOf(response);
    const about = { accountId, isTest: test === 'true', range: { from, until: to }, fileName };
    const id = await storeFile(pool, contacts, sessionOf(response).person.email, about, bytes);
    tellInRequestLog(response, { reconciliationId: id });
    return { status: 202, body: { id } };
  },
});

export const listReconciliations = endpoint({
  method: 'get',
  path: '/accounts/:account/reconciliations',
  input: reconciliationsInput,
  replies: { 200: { body: reconciliationsReply } },
  async handle({ input: { before }, response }, { pool }) {
    const found = await list(pool, scopeOf(response).accountId, { before, limit: reconciliationsPerPage });
    return { status: 200, body: pageOf(found, reconciliationsPerPage, describeReconciliation) };
  },
});

export const readReconciliation = endpoint({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id',
  input: readReconciliationInput,
  replies: { 200: { body: reconciliationItem } },
  handle: async ({ input: { id }, response }, context) => ({
    status: 200,
    body: describeReconciliation(await find(context, response, id)),
  }),
});

export const listListedRows = endpoint({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id/rows',
  input: listedRowsInput,
  replies: { 200: { body: listedRowsReply } },
  async handle({ input: { id, outcome, after = 0 }, response }, context) {
    const data = dataFor(response);
    await find(context, response, id);
    const rows = await readReconciliationRows(context.pool, context.contacts, {
      accountId: scopeOf(response).accountId,
      id,
      outcome,
      after,
      limit: listedRowsPerPage,
    });
    const next = rows.length === listedRowsPerPage ? (rows.at(-1)?.number ?? null) : null;
    return { status: 200, body: { items: rows.map((row) => describeListedRow(row, data)), next } };
  },
});

export const readListedFile = endpoint({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id/rows.csv',
  input: listedFileInput,
  replies: { 200: { mediaType: 'text/csv', body: csvParts } },
  async handle({ input: { id, outcome }, response }, context) {
    await find(context, response, id);
    const scope = scopeOf(response);
    await context.management.noteDownload(scope, sessionOf(response).person.email, `reconciliation ${id}`);
    const name = ['reconciliation', id, ...(outcome === undefined ? [] : [outcome])].join('-');
    const body = reconciliationFile(context.pool, context.contacts, { accountId: scope.accountId, id, outcome });
    return { status: 200, headers: attachment(name), body };
  },
});

export const replayReconciliation = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/reconciliations/:id/replay',
  parameters: readReconciliationInput,
  input: replayInput,
  replies: { 202: { body: replayReply } },
  async handle({ input: order, parameters: { id }, response }, context) {
    const { isTest } = await find(context, response, id);
    const mode = { accountId: scopeOf(response).accountId, isTest };
    await replay(context.pool, sessionOf(response).person.email, mode, { id, ...order });
    return { status: 202, body: {} };
  },
});
