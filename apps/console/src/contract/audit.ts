import { daySchema } from '@leadback/domain';
import { z } from 'zod';
import { accountId } from './shared.ts';

export const auditPerPage = 50;

const filters = {
  /** The email of a person, or another actor, in full. */
  actor: z.string().max(320).optional(),
  /** `<noun>.<verb>`, such as `connection.pause`. */
  action: z.string().max(60).optional(),
  /** Days in UTC, both inclusive. */
  from: daySchema.optional(),
  to: daySchema.optional(),
  /** `next` of the page before. */
  after: z.coerce.number().int().min(1).optional(),
};

/** `GET /api/accounts/:account/audit`: newest first; every filter is optional. */
export const auditOfAccountInput = z.object({ account: accountId, ...filters });

/** `GET /api/audit`: of all accounts, and what is of none. */
export const auditInput = z.object(filters);

export const auditEntry = z.object({
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

export const auditReply = z.object({
  /** May be fewer than 50, even none, although there are more: a search reads a bounded number of entries. */
  items: z.array(auditEntry),
  /** For `after`; null: no more. */
  next: z.number().nullable(),
});

export type AuditEntry = z.output<typeof auditEntry>;
export type AuditReply = z.output<typeof auditReply>;
