import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

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
    delimiter: p.enum([',', ';']),
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
    trialId: p.bigint('number').nullable(),
    fileName: p.text().nullable(),
    /** Who sent the file; null: a partner, with an API key. */
    createdBy: p.text().nullable(),
    /** How often the next rows have failed. */
    failures: p.integer().default(0),
    /** When they are tried again. */
    retryAt: p.datetime(6).nullable(),
    /** Why the file was refused or failed. */
    message: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Null while anything is left to do. */
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { name: 'import_open_index', properties: ['id'], where: 'finished_at is null' },
    { properties: ['account', 'id'] },
    { properties: ['account', 'digest'] },
    { properties: ['trialId'], where: 'trial_id is not null' },
  ],
});

/** A CSV file that is registered row by row, in the order of the file. */
export class Import extends ImportSchema.class {}
ImportSchema.setClass(Import);
