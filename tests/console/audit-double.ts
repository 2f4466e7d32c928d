import type { AuditEntry, AuditReply } from '../../apps/console/src/contract/audit.ts';

const hourMs = 3_600_000;

/** ISO 8601; of a negative number, a time to come. */
export const ago = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString();

/** Null: of all accounts. */
export const auditDouble = (accountId: number | null): AuditReply => {
  const entry = (id: number, more: Pick<AuditEntry, 'action' | 'actor' | 'target' | 'details'>): AuditEntry => ({
    id,
    at: ago(40 - id),
    accountId,
    accountName: accountId === null ? null : 'Acme Store',
    ...more,
  });
  const actor = 'ana@example.com';
  return {
    items: [
      entry(9, {
        action: 'account.change',
        actor,
        target: 'account 1',
        details: { rateLimit: { before: 100, after: 200 }, gpc: { before: 'measure', after: 'respect' } },
      }),
      entry(8, {
        action: 'key.revoke',
        actor: 'operator root',
        target: 'key 2',
        details: { name: 'Agency', prefix: 'lb_m3Zw8B' },
      }),
      entry(7, { action: 'delivery.retry', actor, target: 'delivery 192', details: {} }),
      entry(6, {
        action: 'connection.change',
        actor: 'cleo.rodriguez@agency.example',
        target: 'connection 1',
        details: { pixelId: { before: '123456789012345', after: '543210987654321' } },
      }),
      entry(5, {
        action: 'invented.action',
        actor: 'key 4',
        target: 'webhook 12',
        details: { events: ['delivery.failed', 'import.finished'], isTest: true, url: null },
      }),
    ],
    next: null,
  };
};
