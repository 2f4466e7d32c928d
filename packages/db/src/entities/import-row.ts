import { defineEntity, p } from '@mikro-orm/core';

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
    trialReference: p.text().nullable(),
    /** Of such a row of a conversion: the event id that it would have. */
    trialEventId: p.text().nullable(),
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
    { properties: ['importId', 'trialReference'], where: 'trial_reference is not null' },
    { properties: ['importId', 'trialEventId'], where: 'trial_event_id is not null' },
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
