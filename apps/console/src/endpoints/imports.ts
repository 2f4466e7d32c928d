import { csvBody, csvBytes, tellInRequestLog } from '@leadback/http';
import {
  createImportParameters,
  createImportReply,
  importItem,
  importsInput,
  importsPerPage,
  importsReply,
  readImportInput,
  registerImportInput,
  registerImportReply,
  toldRowsInput,
  toldRowsPerPage,
  toldRowsReply,
} from '../contract/imports.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { dataFor } from '../sessions/data-for.ts';
import { describeImport } from './file-views.ts';
import { findImport } from './find-import.ts';
import { endpoint, endpointWithParameters } from './guard.ts';
import { pageOf } from './page-of.ts';

export const createImport = endpointWithParameters({
  method: 'post',
  path: '/accounts/:account/imports',
  parameters: createImportParameters,
  body: csvBody,
  input: csvBytes,
  replies: { 202: { body: createImportReply } },
  async handle({ input, parameters: { of, test, name: fileName }, response }, { imports }) {
    const about = { subject: of, isTest: test === 'true', fileName };
    const id = await imports.tryFile(scopeOf(response), sessionOf(response).person.email, about, input);
    tellInRequestLog(response, { importId: id });
    return { status: 202, body: { id } };
  },
});

export const listImports = endpoint({
  method: 'get',
  path: '/accounts/:account/imports',
  input: importsInput,
  replies: { 200: { body: importsReply } },
  async handle({ input: { before }, response }, { imports }) {
    const found = await imports.list(scopeOf(response), { before, limit: importsPerPage });
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
    body: describeImport(await findImport(context, response, id)),
  }),
});

export const listToldRows = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/:id/rows',
  input: toldRowsInput,
  replies: { 200: { body: toldRowsReply } },
  async handle({ input: { id, outcome, after = 0 }, response }, context) {
    const about = await findImport(context, response, id);
    const rows = await context.imports.toldRows(about, { outcome, after, limit: toldRowsPerPage });
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
    const trial = await findImport(context, response, id);
    const { email } = sessionOf(response).person;
    return { status: 202, body: await context.imports.register(scopeOf(response), email, trial) };
  },
});
