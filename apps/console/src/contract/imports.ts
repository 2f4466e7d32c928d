import { delimiters, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { money, pageOf, rowId, shownReference, testChoice } from './values.ts';

export const fileSubject = z.enum(['client', 'conversion'], 'expected client or conversion');

export const fileName = z
  .string()
  .max(255)
  .transform((name) => name.replaceAll(/\p{Cc}/gu, ' ').trim())
  .optional();

/** `POST /api/accounts/:account/imports?of=conversion&test=false&name=october.csv`: the file, as `text/csv`. */
export const createImportInput = z.object({
  of: fileSubject,
  test: testChoice,
  name: fileName,
});
/** The dry run of the file: it registers nothing. */
export const createImportReply = z.object({ id: z.number() });

const mark = z.enum(['.', ',']);
const dateOrder = z.enum(['dmy', 'mdy']);

/** What a person chooses of a file, over what is found in it. */
const fileChoices = z.object({
  encoding: z.string().optional(),
  delimiter: z.enum(delimiters).optional(),
  /** Of a workbook, by its name. */
  sheet: z.string().optional(),
  headerLine: z.number().optional(),
  /** The field of each column that is chosen; null: it is not read. */
  columns: z.record(z.string(), z.string().nullable()).optional(),
  decimalMark: mark.optional(),
  dateOrder: dateOrder.optional(),
  timeZone: z.string().optional(),
  currency: z.string().optional(),
});

/** `POST /api/accounts/:account/imports/preview?of=conversion&choices={}`: the file, as `text/csv`. Nothing is stored. */
export const previewImportInput = z.object({ of: fileSubject });
export const previewImportReply = z.object({
  /** null: the file is a workbook. */
  encoding: z.string().nullable(),
  delimiter: z.enum(delimiters).nullable(),
  /** Of a workbook: the one that is read, and those that could be. */
  sheet: z.string().nullable(),
  sheets: z.array(z.string()),
  headerLine: z.number(),
  /** Whose export it is. */
  export: z.string().nullable(),
  /** In the order of the file; field null: it is not read. */
  columns: z.array(z.object({ name: z.string(), field: z.string().nullable() })),
  /** What a column may be read as. */
  fields: z.array(z.string()),
  decimalMark: mark.nullable(),
  dateOrder: dateOrder.nullable(),
  timeZone: z.string().nullable(),
  /** Of all rows, as chosen. */
  currency: z.string().nullable(),
  /** Fields that no column has, without which the file is refused. */
  missing: z.array(z.string()),
  /** What has two meanings. Rows with such a cell are refused until somebody chooses. */
  questions: z.array(z.enum(['decimalMark', 'dateOrder', 'timeZone'])),
  /** Of the account. */
  proposed: z.object({ timeZone: z.string(), currency: z.string() }),
  choices: fileChoices,
  /** Whether the choices are those of an earlier file. */
  isRemembered: z.boolean(),
  rows: z.number(),
  notPaid: z.number(),
  /** The first ten rows. */
  samples: z.array(
    z.object({
      line: z.number(),
      fields: z.record(z.string(), z.union([z.string(), z.number()])),
      /** Why it will be refused. */
      message: z.string().nullable(),
      isPaid: z.boolean(),
    }),
  ),
});

export const importItem = z.object({
  id: z.number(),
  of: fileSubject,
  isTest: z.boolean(),
  isDryRun: z.boolean(),
  /** pending: not begun. refused: the file cannot be read. failed: an internal error has stopped it. */
  state: z.enum(['pending', 'running', 'done', 'refused', 'failed']),
  rows: z.number(),
  /** Rows that have an outcome. */
  done: z.number(),
  /** Rows by outcome; `existing`: of clients, `repeated` and `differs`: of conversions. */
  counts: z.object({
    created: z.number(),
    existing: z.number(),
    repeated: z.number(),
    differs: z.number(),
    /** Conversions whose buyer is no client. */
    not_from_an_ad: z.number(),
    /** Orders of a shop's export that are not paid. */
    not_paid: z.number(),
    refused: z.number(),
  }),
  /** What the created conversions are worth. */
  money: z.array(money),
  /** Of a dry run: created conversions that a platform will skip, because they occurred too long ago. */
  tooOld: z.array(z.object({ platform: z.enum(platformNames), rows: z.number() })),
  /** Of a dry run: created conversions of visitors who refused to share data. No platform is told of them. */
  unshared: z.number(),
  /** Rows with a reference that is an email. */
  emailReferences: z.number(),
  fileName: z.string().nullable(),
  /** Null: a partner, with an API key. */
  createdBy: z.string().nullable(),
  /** The dry run that was registered. */
  dryRunId: z.number().nullable(),
  /** Of a dry run: the import that registered it. */
  registeredAs: z.number().nullable(),
  message: z.string().nullable(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

/** `GET /api/accounts/:account/imports`: newest first, live and test. */
export const importsInput = z.object({ before: rowId.optional() });
export const importsReply = pageOf(importItem);

/** `created`: with a message, which names the platforms that will skip it. */
export const listedOutcome = z.enum(['refused', 'differs', 'not_from_an_ad', 'created']);

/** `GET /api/accounts/:account/imports/:id/rows?outcome=refused`: rows with a message, in the order of the file. */
export const resultRowsInput = z.object({ outcome: listedOutcome, after: rowId.optional() });
export const resultRowsReply = pageOf(
  z.object({ line: z.number(), reference: shownReference.nullable(), message: z.string() }),
);

/** `POST /api/accounts/:account/imports/:id/register`: of a dry run that is done → the import, the same each time. */
export const registerImportReply = z.object({ id: z.number() });

/** `GET /api/accounts/:account/imports/:id/result.csv`: all rows as sent, or those of the outcome with a message. */
export const importResultInput = z.object({ outcome: listedOutcome.optional() });

/** `GET /api/accounts/:account/imports/template.csv?of=client` */
export const importTemplateInput = z.object({ of: fileSubject });

export type FileChoices = z.output<typeof fileChoices>;
export type ImportPreview = z.output<typeof previewImportReply>;
export type ImportItem = z.output<typeof importItem>;
export type ImportsReply = z.output<typeof importsReply>;
export type CreatedImport = z.output<typeof createImportReply>;
export type ListedOutcome = z.output<typeof listedOutcome>;
export type ResultRowsReply = z.output<typeof resultRowsReply>;
