import { type AuditPage, listAudit } from '@leadback/core/audit';
import { z } from 'zod';
import { type AuditReply, auditInput, auditReply } from '../contract/audit.ts';
import { acrossAccounts, ofAccount } from './guard.ts';

export const entriesPerPage = 50;
const detailsSchema = z.record(z.string(), z.unknown());

const describe = ({ items, next }: AuditPage): AuditReply => ({
  items: items.map(({ at, details, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    details: detailsSchema.parse(details),
  })),
  next: next ?? null,
});

export const auditEndpoints = [
  ofAccount('read-audit', 'reads', {
    method: 'get',
    path: '/accounts/:account/audit',
    input: auditInput,
    reply: auditReply,
    handle: async ({ input, scope: { accountId } }, { pool }) =>
      describe(await listAudit(pool, { ...input, accountId, limit: entriesPerPage })),
  }),

  acrossAccounts('manage-accounts', 'reads', {
    method: 'get',
    path: '/audit',
    input: auditInput,
    reply: auditReply,
    handle: async ({ input }, { pool }) => describe(await listAudit(pool, { ...input, limit: entriesPerPage })),
  }),
];
