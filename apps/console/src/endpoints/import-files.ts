import { csvParts, endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { importResultInput, importTemplateInput } from '../contract/imports.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { attachment } from './attachment.ts';
import { findImport } from './find-import.ts';

const subject = 'Imports';

export const readImportResult = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/imports/:id/result.csv',
  subject,
  summary: 'The rows of an import as a file',
  description: 'As sent, each with its outcome. It can be corrected and sent again.',
  input: importResultInput,
  headers: nothing,
  replies: { 200: { description: 'The rows.', mediaType: 'text/csv', body: csvParts, example: undefined } },
  async handle({ input: { id, outcome }, response }, context) {
    const about = await findImport(context, response, id);
    await context.management.noteDownload(scopeOf(response), sessionOf(response).person.email, `import ${id}`);
    const name = ['import', id, outcome ?? 'result'].join('-');
    return { status: 200, headers: attachment(name), body: context.imports.result(about, outcome) };
  },
});

async function* once(text: string) {
  yield text;
}

export const readImportTemplate = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/imports/template.csv',
  subject,
  summary: 'A file to fill in',
  description: 'With all columns, and a row as an example.',
  input: importTemplateInput,
  headers: nothing,
  replies: { 200: { description: 'The file.', mediaType: 'text/csv', body: csvParts, example: undefined } },
  handle: async ({ input: { of } }, { imports }) => ({
    status: 200,
    headers: attachment(`${of}s`),
    body: once(imports.template(of)),
  }),
});
