import { type Currency, type SoldItem, adjustmentKinds, reconciliationSteps } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Client } from './client.ts';

const ConversionSchema = defineEntity({
  name: 'Conversion',
  tableName: 'conversion',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    client: () => p.manyToOne(Client).ref().createForeignKeyConstraint(false),
    /** The click of the client that counts. */
    leadId: p.bigint('number'),
    /** With the decimals of its currency. */
    amount: p.decimal('string').columnType('numeric'),
    /** The domain has the list: a new one needs no migration. */
    currency: p.text().$type<Currency>().check("currency ~ '^[A-Z]{3}$'::text"),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /**
     * The external reference of a test: independent of live references, so that a tested sale can be registered for
     * real.
     */
    testReference: p.text().nullable(),
    /** Registered with a test key: sent as a test and not counted in any metric. */
    isTest: p.boolean().default(false),
    /** The event id sent to platforms, also used by the partner's pixel. */
    eventId: p.text(),
    /** The partner's name for the event; null: what the connection calls conversions. */
    eventName: p.text().nullable(),
    /** Null: when it was registered. */
    occurredAt: p.datetime(6).nullable(),
    /** The page and the campaign of its lead, for which metrics count it. */
    landingPageId: p.bigint('number'),
    campaign: p.text(),
    /** No connection took it, and none was told of it later. Tests are never untold. */
    isUntold: p.boolean().default(false),
    /** The part of the amount that the account earns, such as its margin; null: the partner did not say. */
    netAmount: p.decimal('string').columnType('numeric').nullable(),
    /** What was sold; null: the partner did not say, or the person was erased. */
    items: p.json<readonly SoldItem[]>().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    { properties: ['account', 'eventId'] },
    {
      name: 'conversion_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  indexes: [
    { properties: ['client', 'id'] },
    {
      name: 'conversion_listed_index',
      expression:
        'create index conversion_listed_index on conversion (account_id, is_test, coalesce(occurred_at, created_at), id)',
    },
    {
      name: 'conversion_untold_index',
      expression:
        'create index conversion_untold_index on conversion (account_id, coalesce(occurred_at, created_at)) where is_untold',
    },
  ],
});

export class Conversion extends ConversionSchema.class {}
ConversionSchema.setClass(Conversion);

const FirstSaleSchema = defineEntity({
  name: 'FirstSale',
  tableName: 'first_sale',
  properties: {
    clientId: p.bigint('number').primary().autoincrement(false),
    /** Null: the person bought before, as another client. */
    conversionId: p.bigint('number').nullable(),
  },
});

/** The sale with which a client became a customer: decided once, when it was registered. */
export class FirstSale extends FirstSaleSchema.class {}
FirstSaleSchema.setClass(FirstSale);

const ConversionAdjustmentSchema = defineEntity({
  name: 'ConversionAdjustment',
  tableName: 'conversion_adjustment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    conversion: () => p.manyToOne(Conversion).ref(),
    isTest: p.boolean(),
    kind: p.enum(adjustmentKinds),
    /** The new total; 0 if it is retracted. */
    amount: p.decimal('string').columnType('numeric'),
    /** The total before. */
    previousAmount: p.decimal('string').columnType('numeric'),
    occurredAt: p.datetime(6),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /** The external reference of a test: independent of live references. */
    testReference: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    {
      name: 'conversion_adjustment_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  indexes: [{ properties: ['conversion', 'id'] }],
});

/**
 * A change of the total of a conversion; rows are never changed. The total now is that of the greatest id: adjustments
 * of one conversion are registered one after the other, under a lock of its row.
 */
export class ConversionAdjustment extends ConversionAdjustmentSchema.class {}
ConversionAdjustmentSchema.setClass(ConversionAdjustment);

export const importSubjects = ['client', 'conversion'] as const;
export const importStates = ['uploading', 'pending', 'running', 'done', 'refused', 'failed'] as const;

const ImportSchema = defineEntity({
  name: 'Import',
  tableName: 'import',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    isTest: p.boolean(),
    /** Registers nothing. */
    isDryRun: p.boolean(),
    subject: p.enum(importSubjects),
    /**
     * uploading: its rows are being stored. pending: not begun. refused: the file cannot be read; its rows are deleted.
     * failed: the next rows failed again and again; those before have their outcomes.
     */
    state: p.enum(importStates).default('uploading'),
    columns: p.array(String).columnType('text[]'),
    delimiter: p.enum([',', ';', '\t', '|']),
    /** How its cells are read, decided when all of it is stored. */
    reading: p.json<Readonly<Record<string, string>>>().defaultRaw(`'{}'`),
    /** SHA-256 of the file; null until all of it is stored. */
    digest: p.blob().nullable(),
    /** Of the file; 0 until all of it is stored. */
    bytes: p.bigint('number').defaultRaw('0'),
    rows: p.integer().default(0),
    /** How many rows have an outcome. */
    done: p.integer().default(0),
    /** Rows have an outcome up to this line of the file; the header is line 1. */
    lastLine: p.integer().default(1),
    /** Rows by outcome. */
    counts: p.json<Record<string, number>>().default('{}'),
    /** Of a dry run: how many of the rows that it would register each platform will skip for their age. */
    tooOld: p.json<Readonly<Record<string, number>>>().defaultRaw(`'{}'`),
    /** Amounts by currency of the conversions that were registered or, of a dry run, would be. */
    money: p.json<Readonly<Record<string, string>>>().defaultRaw(`'{}'`),
    /** Of a dry run: how many of the conversions that it would register are of visitors who refused to share data. */
    unshared: p.integer().default(0),
    /** How many rows have an email as a reference. */
    emailReferences: p.integer().default(0),
    /** The dry run whose rows these are. */
    dryRunId: p.bigint('number').nullable(),
    fileName: p.text().nullable(),
    /** Who sent the file; null: a partner, with an API key. */
    createdBy: p.text().nullable(),
    /** How often the next rows have failed. */
    failures: p.integer().default(0),
    /** When the next rows are registered: of several imports, those of the one that waits longest. */
    dueAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** Why the file was refused or failed. */
    message: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Null while anything is left to do. */
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { name: 'import_open_index', properties: ['dueAt'], where: 'finished_at is null' },
    { properties: ['account', 'id'] },
    { properties: ['account', 'digest'] },
    { properties: ['dryRunId'], where: 'dry_run_id is not null' },
  ],
});

/** A CSV file that is registered row by row, in the order of the file. */
export class Import extends ImportSchema.class {}
ImportSchema.setClass(Import);

const FileChoiceSchema = defineEntity({
  name: 'FileChoice',
  tableName: 'file_choice',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    subject: p.enum(importSubjects).primary(),
    /** SHA-256 of the names of the columns. */
    header: p.blob().primary(),
    choices: p.json<Readonly<Record<string, unknown>>>(),
    changedAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** How files with one header are read, as somebody chose for the account. */
export class FileChoice extends FileChoiceSchema.class {}
FileChoiceSchema.setClass(FileChoice);

const ImportRowSchema = defineEntity({
  name: 'ImportRow',
  tableName: 'import_row',
  properties: {
    importId: p.bigint('number').primary(),
    /** Where the row begins in the file. */
    line: p.integer().primary(),
    /** As sent, in the order of the import's columns. */
    cells: p.json<readonly string[]>(),
    /** Hashes of what the cells name, by which erasures find the row; a trigger makes them. */
    emailMark: p.bigint('bigint').nullable(),
    referenceMark: p.bigint('bigint').nullable(),
    leadMark: p.bigint('bigint').nullable(),
    /** Of a row that a dry run would register: its external reference. */
    dryRunReference: p.text().nullable(),
    /** Of such a row of a conversion: the event id that it would have. */
    dryRunEventId: p.text().nullable(),
    /** Null until the row was registered or refused. */
    outcome: p.text().nullable(),
    /** The client or conversion. Without an outcome: the client that the row of a result file says it is. */
    recordId: p.bigint('number').nullable(),
    /** Why the row was refused, or what is said of it in spite of its outcome. */
    message: p.text().nullable(),
  },
  indexes: [
    { name: 'import_row_email_mark_index', properties: ['emailMark'], where: 'email_mark is not null' },
    { name: 'import_row_reference_mark_index', properties: ['referenceMark'], where: 'reference_mark is not null' },
    { name: 'import_row_lead_mark_index', properties: ['leadMark'], where: 'lead_mark is not null' },
    { name: 'import_row_record_index', properties: ['recordId'], where: 'record_id is not null' },
    { properties: ['importId', 'dryRunReference'], where: 'dry_run_reference is not null' },
    { properties: ['importId', 'dryRunEventId'], where: 'dry_run_event_id is not null' },
    {
      name: 'import_row_message_index',
      expression:
        'create index import_row_message_index on import_row (outcome, (import_id + 0), line) where message is not null',
    },
  ],
});

/** A row of an imported file. It has no foreign keys to check on each insert. */
export class ImportRow extends ImportRowSchema.class {}
ImportRowSchema.setClass(ImportRow);

const ReconciliationSchema = defineEntity({
  name: 'Reconciliation',
  tableName: 'reconciliation',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    isTest: p.boolean().default(false),
    /** The range in which registered conversions are expected in the list; `untilAt` is not in it. */
    fromAt: p.datetime(6),
    untilAt: p.datetime(6),
    step: p.enum(reconciliationSteps).nullable().default('receive'),
    /** Of the list. */
    rows: p.integer().default(0),
    compared: p.integer().default(0),
    counts: p.json<unknown>().defaultRaw(`'{}'`),
    /** Amounts by outcome and currency. */
    money: p.json<unknown>().defaultRaw(`'{}'`),
    fileName: p.text().nullable(),
    /** Who sent the list; null: a partner, with an API key. */
    createdBy: p.text().nullable(),
    /** The last conversion of the range that was looked for in the list. */
    walkedAt: p.datetime(6),
    walkedId: p.bigint('number').defaultRaw('0'),
    /** The last registration of missing rows: what was asked for, how far it is and what it has done. */
    replay: p.json<unknown>().nullable(),
    /** When the next slice is worked off: the one that waits longest is next. While it is received: when it counts as cut off. */
    dueAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** How often the next slice has failed. */
    failures: p.integer().default(0),
    /** Whether the comparison ended because its next slice failed again and again. */
    isFailed: p.boolean().default(false),
    createdAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { properties: ['account', 'id'] },
    { name: 'reconciliation_open_index', properties: ['dueAt'], where: 'step is not null' },
  ],
});

/** A partner's list of its conversions in a range of time. */
export class Reconciliation extends ReconciliationSchema.class {}
ReconciliationSchema.setClass(Reconciliation);

const ReconciliationRowSchema = defineEntity({
  name: 'ReconciliationRow',
  tableName: 'reconciliation_row',
  properties: {
    reconciliationId: p.bigint('number').primary(),
    /** 1, 2, … in the order of the list; conversions that are not in the list follow. */
    number: p.integer().primary(),
    accountId: p.bigint('number'),
    /** Whether a field is invalid; `message` names it. */
    isRefused: p.boolean().default(false),
    externalReference: p.text().nullable(),
    amount: p.decimal('string').columnType('numeric').nullable(),
    currency: p.text().nullable(),
    clientExternalReference: p.text().nullable(),
    /** The email, encrypted. */
    contact: p.blob().nullable(),
    /** A keyed hash of the email. */
    emailHash: p.text().nullable(),
    occurredAt: p.datetime(6).nullable(),
    /** Null: not compared yet. */
    outcome: p.text().nullable(),
    /** The conversion that has the reference, or was registered from the row. */
    conversionId: p.bigint('number').nullable(),
    /** Platforms to which a matched conversion was not delivered. */
    undelivered: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** The reconciliation, if it was not delivered to a platform. */
    undeliveredIn: p.bigint('number').nullable(),
    message: p.text().nullable(),
  },
  indexes: [
    // a plain reconciliation_id finds rows by number only, whatever PostgreSQL knows of the table
    {
      name: 'reconciliation_row_reference_index',
      expression:
        'create index reconciliation_row_reference_index on reconciliation_row ((reconciliation_id + 0), external_reference, is_refused, number)',
    },
    {
      name: 'reconciliation_row_outcome_index',
      expression:
        'create index reconciliation_row_outcome_index on reconciliation_row (outcome, (reconciliation_id + 0), number)',
    },
    {
      name: 'reconciliation_row_undelivered_index',
      properties: ['undeliveredIn', 'number'],
      where: 'undelivered_in is not null',
    },
    {
      name: 'reconciliation_row_email_hash_index',
      properties: ['accountId', 'emailHash'],
      where: 'email_hash is not null',
    },
    {
      name: 'reconciliation_row_client_index',
      properties: ['accountId', 'clientExternalReference'],
      where: 'client_external_reference is not null',
    },
  ],
});

/** A row of a reconciliation. */
export class ReconciliationRow extends ReconciliationRowSchema.class {}
ReconciliationRowSchema.setClass(ReconciliationRow);
