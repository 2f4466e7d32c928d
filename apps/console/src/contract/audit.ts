import { daySchema } from '@leadback/domain';
import { z } from 'zod';
import { pageOf, rowId } from './values.ts';

/** `GET /api/accounts/:account/audit`, and `GET /api/audit` of all accounts and what is of none: newest first. */
export const auditInput = z.object({
  /** The email of a person, or another actor, in full. */
  actor: z.string().max(320).optional(),
  /** `<noun>.<verb>`, such as `connection.pause`. */
  action: z.string().max(60).optional(),
  /** Days in UTC, both inclusive. */
  from: daySchema.optional(),
  to: daySchema.optional(),
  /** `next` of the page before. */
  after: rowId.optional(),
});

const auditEntry = z.object({
  id: z.number(),
  at: z.string(),
  /** The email of a person, `operator <user>`, `key <id>`, or `leadback`. */
  actor: z.string(),
  action: z.string(),
  /** Null: it is of no account. */
  accountId: z.number().nullable(),
  accountName: z.string().nullable(),
  /** What was acted on: `<noun> <id>`. */
  target: z.string(),
  /** Facts by name; of a field that changed, `{before, after}`. */
  details: z.record(z.string(), z.unknown()),
});

/** A search reads a bounded number of entries. */
export const auditReply = pageOf(auditEntry);

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditReply = z.output<typeof auditReply>;
