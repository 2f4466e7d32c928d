import { csvParts } from '@leadback/http';
import { importResultInput, importTemplateInput } from '../contract/imports.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { attachment } from './attachment.ts';
import { findImport } from './find-import.ts';
import { endpoint } from './guard.ts';

export const readImportResult = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/:id/result.csv',
  input: importResultInput,
  replies: { 200: { mediaType: 'text/csv', body: csvParts } },
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

export const readImportTemplate = endpoint({
  method: 'get',
  path: '/accounts/:account/imports/template.csv',
  input: importTemplateInput,
  replies: { 200: { mediaType: 'text/csv', body: csvParts } },
  handle: async ({ input: { of } }, { imports }) => ({
    status: 200,
    headers: attachment(`${of}s`),
    body: once(imports.template(of)),
  }),
});
