import { Refusal } from '@leadback/domain';
import { csvBody, csvBytes, csvParts, tellInRequestLog } from '@leadback/server/http';
import { createImport as storeFile, registerTrial } from '@leadback/core/imports/files';
import {
  findImport,
  type ImportRecord,
  importResult,
  importTemplate,
  listImports as list,
  readToldRows,
} from '@leadback/core/imports/read';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import {
  createImportParameters,
  createImportReply,
  importItem,
  importResultInput,
  importsInput,
  importsPerPage,
  importsReply,
  importTemplateInput,
  readImportInput,
  registerImportInput,
  registerImportReply,
  toldRowsInput,
  toldRowsPerPage,
  toldRowsReply,
} from '../contract/imports.ts';
import { dataFor, scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { attachment, describeImport, pageOf } from './files.ts';
import { endpoint, endpointWithParameters } from './guard.ts';

/** An import of the account of the path, live or test. */
const find = async ({ pool }: ConsoleContext, response: Response, id: number): Promise<ImportRecord> => {
  const { accountId } = scopeOf(response);
  const found = await findImport(pool, { accountId }, id);
  if (!found) throw new Refusal('not-found.import');
  return found;
};

export const createImport = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/imports',
  parameters: createImportParameters,
  body: csvBody,
  input: csvBytes,
  replies: { 202: { body: createImportReply } },
  async handle({ input, parameters: { of, test, name: fileName }, response }, { pool }) {
    const { accountId } = scopeOf(response);
    // begins with the dry run
    const about = { accountId, subject: of, isTest: test === 'true', isDryRun: true, fileName };
    const id = await storeFile(pool, sessionOf(response).person.email, about, input);
    tellInRequestLog(response, { importId: id });
    return { status: 202, body: { id } };
  },
});

export const listImports = endpoint({
  method: 'get',
  path: '/accounts/:account/imports',
  input: importsInput,
  replies: { 200: { body: importsReply } },
  async handle({ input: { before }, response }, { pool }) {
    const found = await list(pool, scopeOf(response).accountId, { before, limit: importsPerPage });
    return { status: 200, body: pageOf(found, importsPerPage, describeImport) };
  },
});

export const readImport = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/:id',
  input: readImportInput,
  replies: { 200: { body: importItem } },
  handle: async ({ input: { id }, response }, context) => ({
    status: 200,
    body: describeImport(await find(context, response, id)),
  }),
});

export const listToldRows = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/:id/rows',
  input: toldRowsInput,
  replies: { 200: { body: toldRowsReply } },
  async handle({ input: { id, outcome, after = 0 }, response }, context) {
    const about = await find(context, response, id);
    const rows = await readToldRows(context.pool, about, { outcome, after, limit: toldRowsPerPage });
    const next = rows.length === toldRowsPerPage ? (rows.at(-1)?.line ?? null) : null;
    const data = dataFor(response);
    const items = rows.map(({ line, reference, message }) => ({
      line,
      reference: data.reference(reference),
      message: data.message(message) ?? '',
    }));
    return { status: 200, body: { items, next } };
  },
});

export const registerImport = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/imports/:id/register',
  parameters: readImportInput,
  input: registerImportInput,
  replies: { 202: { body: registerImportReply } },
  async handle({ parameters: { id }, response }, context) {
    const { isTest } = await find(context, response, id);
    const { email } = sessionOf(response).person;
    const mode = { accountId: scopeOf(response).accountId, isTest };
    return { status: 202, body: await registerTrial(context.pool, email, mode, id) };
  },
});

export const readImportResult = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/:id/result.csv',
  input: importResultInput,
  replies: { 200: { mediaType: 'text/csv', body: csvParts } },
  async handle({ input: { id, outcome }, response }, context) {
    const about = await find(context, response, id);
    await context.management.noteDownload(scopeOf(response), sessionOf(response).person.email, `import ${id}`);
    const name = ['import', id, outcome ?? 'result'].join('-');
    return { status: 200, headers: attachment(name), body: importResult(context.pool, about, outcome) };
  },
});

async function* once(text: string) {
  yield text;
}

export const readImportTemplate = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/template.csv',
  input: importTemplateInput,
  replies: { 200: { mediaType: 'text/csv', body: csvParts } },
  handle: async ({ input: { of } }) => ({
    status: 200,
    headers: attachment(`${of}s`),
    body: once(importTemplate(of)),
  }),
});
