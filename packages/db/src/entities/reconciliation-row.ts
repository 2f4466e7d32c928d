import { defineEntity, p } from '@mikro-orm/core';

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
    amount: p.decimal('string').precision(12).scale(2).nullable(),
    currency: p.text().nullable(),
    clientExternalReference: p.text().nullable(),
    /** The email, encrypted. */
    contact: p.blob().nullable(),
    /** The normalized email or, beside an encrypted one, its hash. */
    emailKey: p.text().nullable(),
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
      name: 'reconciliation_row_email_key_index',
      properties: ['accountId', 'emailKey'],
      where: 'email_key is not null',
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
