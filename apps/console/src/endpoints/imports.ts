import { csvBody, csvBytes, endpoint, endpointWithParameters, nothing, tellInRequestLog } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
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
import { pageOf } from './page-of.ts';

const subject = 'Imports';

export const createImport = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/imports',
  subject,
  summary: 'Try a file of clients or conversions',
  description: 'Registers nothing: finds the outcome of each row.',
  parameters: createImportParameters,
  body: csvBody,
  input: csvBytes,
  headers: nothing,
  replies: { 202: { description: 'The file is stored.', body: createImportReply, example: undefined } },
  async handle({ input, parameters: { of, test, name: fileName }, response }, { imports }) {
    const about = { subject: of, isTest: test === 'true', fileName };
    const id = await imports.tryFile(scopeOf(response), sessionOf(response).person.email, about, input);
    tellInRequestLog(response, { importId: id });
    return { status: 202, body: { id } };
  },
});

export const listImports = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/imports',
  subject,
  summary: 'The files that were imported',
  description: 'Newest first.',
  input: importsInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: importsReply, example: undefined } },
  async handle({ input: { before }, response }, { imports }) {
    const found = await imports.list(scopeOf(response), { before, limit: importsPerPage });
    return { status: 200, body: pageOf(found, importsPerPage, describeImport) };
  },
});

export const readImport = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/imports/:id',
  subject,
  summary: 'One import with its progress',
  description: 'Poll it until it is done, refused or failed.',
  input: readImportInput,
  headers: nothing,
  replies: { 200: { description: 'The import.', body: importItem, example: undefined } },
  handle: async ({ input: { id }, response }, context) => ({
    status: 200,
    body: describeImport(await findImport(context, response, id)),
  }),
});

export const listToldRows = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/imports/:id/rows',
  subject,
  summary: 'The rows of an import that have a message',
  description: 'With their lines, and without personal data.',
  input: toldRowsInput,
  headers: nothing,
  replies: { 200: { description: 'A page.', body: toldRowsReply, example: undefined } },
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

export const registerImport = endpointWithParameters<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/imports/:id/register',
  subject,
  summary: 'Register the rows of a dry run',
  description: 'As they were sent, in the background.',
  parameters: readImportInput,
  input: registerImportInput,
  headers: nothing,
  replies: { 202: { description: 'The import.', body: registerImportReply, example: undefined } },
  async handle({ parameters: { id }, response }, context) {
    const trial = await findImport(context, response, id);
    const { email } = sessionOf(response).person;
    return { status: 202, body: await context.imports.register(scopeOf(response), email, trial) };
  },
});
