import { endpoint, nothing } from '@leadback/http';
import type { AuditPage } from '@leadback/people';
import { z } from 'zod';
import type { ConsoleContext } from '../context.ts';
import { auditInput, auditOfAccountInput, auditPerPage, type AuditReply, auditReply } from '../contract/audit.ts';
import { scopeOf } from '../sessions/authenticate.ts';

const subject = 'Audit';
const detailsSchema = z.record(z.string(), z.unknown());

const describe = ({ items, next }: AuditPage): AuditReply => ({
  items: items.map(({ at, details, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    details: detailsSchema.parse(details),
  })),
  next: next ?? null,
});

const replies = { 200: { description: 'A page.', body: auditReply, example: undefined } };

export const readAuditOfAccount = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/audit',
  subject,
  summary: 'Who did what in an account',
  description: 'Newest first.',
  input: auditOfAccountInput,
  headers: nothing,
  replies,
  async handle({ input: { actor, action, from, to, after }, response }, { management }) {
    const { accountId } = scopeOf(response);
    const filter = { accountId, actor, action, from, to, after };
    return { status: 200, body: describe(await management.listAudit({ ...filter, limit: auditPerPage })) };
  },
});

export const readAudit = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/audit',
  subject,
  summary: 'Who did what in all accounts, and in none',
  description: 'Newest first.',
  input: auditInput,
  headers: nothing,
  replies,
  handle: async ({ input }, { management }) => ({
    status: 200,
    body: describe(await management.listAudit({ ...input, limit: auditPerPage })),
  }),
});
