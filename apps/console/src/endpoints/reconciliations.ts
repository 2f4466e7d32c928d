import { Refusal } from '@leadback/domain';
import {
  csvBody,
  csvBytes,
  csvParts,
  endpoint,
  endpointWithParameters,
  nothing,
  tellInRequestLog,
} from '@leadback/http';
import type { ReconciliationRecord } from '@leadback/intake';
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
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { dataFor } from '../sessions/data-for.ts';
import { attachment } from './attachment.ts';
import { describeListedRow, describeReconciliation } from './file-views.ts';
import { pageOf } from './page-of.ts';

const subject = 'Reconciliations';

const find = async (
  { reconciliations }: ConsoleContext,
  response: Response,
  id: number,
): Promise<ReconciliationRecord> => {
  const found = await reconciliations.find(scopeOf(response), id);
  if (!found) throw new Refusal('not-found.reconciliation');
  return found;
};

export const createReconciliation = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/reconciliations',
  subject,
  summary: 'Compare a list of sales',
  description: 'In the background.',
  parameters: createReconciliationParameters,
  body: csvBody,
  input: csvBytes,
  headers: nothing,
  replies: { 202: { description: 'The list is stored.', body: createReconciliationReply, example: undefined } },
  async handle({ input: bytes, parameters: { from, to, test, name: fileName }, response }, { reconciliations }) {
    const list = { isTest: test === 'true', range: { from, until: to }, fileName, bytes };
    const id = await reconciliations.store(scopeOf(response), sessionOf(response).person.email, list);
    tellInRequestLog(response, { reconciliationId: id });
    return { status: 202, body: { id } };
  },
});

export const listReconciliations = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/reconciliations',
  subject,
  summary: 'The lists that were compared',
  description: 'Newest first.',
  input: reconciliationsInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: reconciliationsReply, example: undefined } },
  async handle({ input: { before }, response }, { reconciliations }) {
    const found = await reconciliations.list(scopeOf(response), { before, limit: reconciliationsPerPage });
    return { status: 200, body: pageOf(found, reconciliationsPerPage, describeReconciliation) };
  },
});

export const readReconciliation = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id',
  subject,
  summary: 'One comparison with its progress',
  description: 'Poll it until it is done or failed.',
  input: readReconciliationInput,
  headers: nothing,
  replies: { 200: { description: 'The comparison.', body: reconciliationItem, example: undefined } },
  handle: async ({ input: { id }, response }, context) => ({
    status: 200,
    body: describeReconciliation(await find(context, response, id)),
  }),
});

export const listListedRows = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id/rows',
  subject,
  summary: 'The rows of a comparison',
  description: 'Without personal data.',
  input: listedRowsInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: listedRowsReply, example: undefined } },
  async handle({ input: { id, outcome, after = 0 }, response }, context) {
    const data = dataFor(response);
    await find(context, response, id);
    const rows = await context.reconciliations.rows(scopeOf(response), id, {
      outcome,
      after,
      limit: listedRowsPerPage,
    });
    const next = rows.length === listedRowsPerPage ? (rows.at(-1)?.number ?? null) : null;
    return { status: 200, body: { items: rows.map((row) => describeListedRow(row, data)), next } };
  },
});

export const readListedFile = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/reconciliations/:id/rows.csv',
  subject,
  summary: 'The rows of a comparison as a file',
  description: 'It can be corrected and sent again.',
  input: listedFileInput,
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example: undefined } },
  async handle({ input: { id, outcome }, response }, context) {
    const about = await find(context, response, id);
    const scope = scopeOf(response);
    await context.management.noteDownload(scope, sessionOf(response).person.email, `reconciliation ${id}`);
    const name = ['reconciliation', id, ...(outcome === undefined ? [] : [outcome])].join('-');
    const body = context.reconciliations.file(scope, about, outcome);
    return { status: 200, headers: attachment(name), body };
  },
});

export const replayReconciliation = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/reconciliations/:id/replay',
  subject,
  summary: 'Register what is missing, or try to',
  description: 'In the background.',
  parameters: readReconciliationInput,
  input: replayInput,
  headers: nothing,
  replies: { 202: { description: 'It has started.', body: replayReply, example: undefined } },
  async handle({ input: order, parameters: { id }, response }, context) {
    const about = await find(context, response, id);
    await context.reconciliations.replay(scopeOf(response), sessionOf(response).person.email, about, order);
    return { status: 202, body: {} };
  },
});
