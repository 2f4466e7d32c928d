import { currencies, type PlatformName, platformNames, Refusal } from '@leadback/domain';
import { csvBody, csvBytes, csvParts, nothing, addToRequestLog } from '@leadback/server/http';
import { audit } from '@leadback/core/audit';
import { createImport, previewImport, registerDryRun } from '@leadback/core/imports/files';
import { describePreview } from '@leadback/core/imports/preview';
import { choicesTextSchema } from '@leadback/core/imports/reading';
import { columnsOf } from '@leadback/core/imports/subject';
import type { MoneySums } from '@leadback/core/imports/money-sums';
import {
  findImport,
  type ImportRecord,
  importResult,
  importTemplate,
  listImports,
  readResultRows,
} from '@leadback/core/imports/read';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import {
  createImportInput,
  createImportReply,
  type ImportItem,
  importItem,
  importResultInput,
  importsInput,
  importsReply,
  importTemplateInput,
  previewImportInput,
  previewImportReply,
  registerImportReply,
  resultRowsInput,
  resultRowsReply,
} from '../contract/imports.ts';
import type { Money } from '../contract/values.ts';
import { dataFor } from '../sessions/authenticate.ts';
import { type OfAccount, ofAccount, ofId } from './guard.ts';

const importsPerPage = 50;
const resultRowsPerPage = 50;

export const moneyOf = (sums: MoneySums = {}): Money[] =>
  currencies.flatMap((currency) => {
    const amount = sums[currency];
    return amount === undefined ? [] : [{ currency, amount }];
  });

export const tooOldOf = (counts: Readonly<Partial<Record<PlatformName, number>>>) =>
  platformNames.flatMap((platform) => {
    const rows = counts[platform] ?? 0;
    return rows === 0 ? [] : [{ platform, rows }];
  });

/** The `next` of a page of a list; a page that is not full is the last one. */
export const nextOf = <Found>(
  found: readonly Found[],
  limit: number,
  placeOf: (one: Found) => number,
): number | null => {
  const last = found.at(-1);
  return last !== undefined && found.length === limit ? placeOf(last) : null;
};

/** Says that a browser is to save the reply as a CSV file. */
const saveAs = (response: Response, name: string) =>
  response.set('content-disposition', `attachment; filename="${name}.csv"`);

/** Also audits it before it is sent. `target`: such as `import 7`. */
export const noteDownload = async (
  { scope: { accountId }, actor, response }: OfAccount & { readonly response: Response },
  { em }: Pick<ConsoleContext, 'em'>,
  { target, name }: { readonly target: string; readonly name: string },
): Promise<void> => {
  await audit(em(), { actor, action: 'file.download', accountId, target });
  saveAs(response, name);
};

const none = { created: 0, existing: 0, repeated: 0, differs: 0, not_from_an_ad: 0, not_paid: 0, refused: 0 };

const describe = (found: ImportRecord): ImportItem => ({
  id: found.id,
  of: found.of,
  isTest: found.isTest,
  isDryRun: found.isDryRun,
  state: found.state === 'uploading' ? 'pending' : found.state,
  rows: found.rows,
  done: found.done,
  counts: { ...none, ...found.counts },
  money: moneyOf(found.money),
  tooOld: tooOldOf(found.tooOld),
  unshared: found.unshared,
  emailReferences: found.emailReferences,
  fileName: found.fileName,
  createdBy: found.createdBy,
  dryRunId: found.dryRunId,
  registeredAs: found.registeredAs,
  message: found.message,
  createdAt: found.createdAt.toISOString(),
  finishedAt: found.finishedAt?.toISOString() ?? null,
});

/** An import of the account of the path, live or test. */
const find = async (
  { pool }: ConsoleContext,
  { scope: { accountId } }: OfAccount,
  id: number,
): Promise<ImportRecord> => {
  const found = await findImport(pool, { accountId }, id);
  if (!found) throw new Refusal('not-found.import');
  return found;
};

const choices = choicesTextSchema.optional();

async function* once(text: string) {
  yield text;
}

export const importEndpoints = [
  // a browser that follows a link to a file cannot ask for the second factor: the page asks here first
  ofAccount('see-personal-data', 'fresh', {
    method: 'post',
    path: '/accounts/:account/files/check',
    changes: false,
    input: nothing,
    reply: nothing,
    handle: async () => ({}),
  }),

  // what is shown is the person's own file
  ofAccount('import-sales', 'reads', {
    method: 'post',
    path: '/accounts/:account/imports/preview',
    changes: false,
    body: csvBody,
    input: previewImportInput.extend({ choices, body: csvBytes }),
    reply: previewImportReply,
    async handle({ input: { of: subject, choices: given = {}, body }, scope: { accountId } }, { pool }) {
      const found = await previewImport(pool, { accountId, subject, choices: given }, body);
      return { ...describePreview(found), fields: [...columnsOf[subject].known] };
    },
  }),

  // begins with the dry run of a file
  ofAccount('import-sales', 'fresh', {
    method: 'post',
    path: '/accounts/:account/imports',
    body: csvBody,
    input: createImportInput.extend({ choices, body: csvBytes }),
    reply: createImportReply,
    status: 202,
    async handle(
      { input: { of: subject, test, name: fileName, choices: chosen, body }, scope: { accountId }, actor, response },
      { pool },
    ) {
      const about = { accountId, subject, isTest: test === 'true', isDryRun: true, fileName, choices: chosen };
      const id = await createImport(pool, actor, about, body);
      addToRequestLog(response, { importId: id });
      return { id };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/imports',
    input: importsInput,
    reply: importsReply,
    async handle({ input: { before }, scope: { accountId } }, { pool }) {
      const found = await listImports(pool, accountId, { before, limit: importsPerPage });
      return { items: found.map(describe), next: nextOf(found, importsPerPage, ({ id }) => id) };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/imports/template.csv',
    input: importTemplateInput,
    reply: csvParts,
    mediaType: 'text/csv',
    async handle({ input: { of }, response }) {
      saveAs(response, `${of}s`);
      return once(importTemplate(of));
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/imports/:id',
    input: ofId,
    reply: importItem,
    handle: async ({ input: { id }, ...asked }, context) => describe(await find(context, asked, id)),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/imports/:id/rows',
    input: resultRowsInput.extend(ofId.shape),
    reply: resultRowsReply,
    async handle({ input: { id, outcome, after = 0 }, ...asked }, context) {
      const about = await find(context, asked, id);
      const rows = await readResultRows(context.pool, about, { outcome, after, limit: resultRowsPerPage });
      const data = dataFor(asked.session);
      const items = rows.map(({ line, reference, message }) => ({
        line,
        reference: data.reference(reference),
        message: data.message(message) ?? '',
      }));
      return { items, next: nextOf(rows, resultRowsPerPage, ({ line }) => line) };
    },
  }),

  ofAccount('import-sales', 'fresh', {
    method: 'post',
    path: '/accounts/:account/imports/:id/register',
    input: ofId,
    reply: registerImportReply,
    status: 202,
    async handle({ input, ...asked }, context) {
      const { id, isTest } = await find(context, asked, input.id);
      return registerDryRun(context.pool, asked.actor, { accountId: asked.scope.accountId, isTest }, id);
    },
  }),

  ofAccount('see-personal-data', 'fresh', {
    method: 'get',
    path: '/accounts/:account/imports/:id/result.csv',
    input: importResultInput.extend(ofId.shape),
    reply: csvParts,
    mediaType: 'text/csv',
    async handle({ input: { id, outcome }, ...asked }, context) {
      const about = await find(context, asked, id);
      await noteDownload(asked, context, {
        target: `import ${id}`,
        name: ['import', id, outcome ?? 'result'].join('-'),
      });
      return importResult(context.pool, about, outcome);
    },
  }),
];
