import type { AuditPage } from '@leadback/core/audit';
import { z } from 'zod';
import { type AuditReply, auditInput, auditOfAccountInput, auditPerPage, auditReply } from '../contract/audit.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

const detailsSchema = z.record(z.string(), z.unknown());

const describe = ({ items, next }: AuditPage): AuditReply => ({
  items: items.map(({ at, details, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    details: detailsSchema.parse(details),
  })),
  next: next ?? null,
});

const replies = { 200: { body: auditReply } };

export const readAuditOfAccount = endpoint({
  method: 'get',
  path: '/accounts/:account/audit',
  input: auditOfAccountInput,
  replies,
  async handle({ input: { actor, action, from, to, after }, response }, { management }) {
    const { accountId } = scopeOf(response);
    const filter = { accountId, actor, action, from, to, after };
    return { status: 200, body: describe(await management.listAudit({ ...filter, limit: auditPerPage })) };
  },
});

export const readAudit = endpoint({
  method: 'get',
  path: '/audit',
  input: auditInput,
  replies,
  handle: async ({ input }, { management }) => ({
    status: 200,
    body: describe(await management.listAudit({ ...input, limit: auditPerPage })),
  }),
});
