import express, { type Router } from 'express';
import type { ListAccountsReply } from '../../apps/console/src/contract/accounts.ts';
import type { AuditEntry, AuditReply } from '../../apps/console/src/contract/audit.ts';
import type { ListKeysReply } from '../../apps/console/src/contract/keys.ts';
import type { InvitationReply, ListPeopleReply, Person } from '../../apps/console/src/contract/people.ts';

const hourMs = 3_600_000;

/** ISO 8601; of a negative number, a time to come. */
const ago = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString();

/** Null: of all accounts. */
const auditDouble = (accountId: number | null): AuditReply => {
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

const keys = (): ListKeysReply => {
  const one: Pick<
    ListKeysReply['items'][number],
    'isTest' | 'scopes' | 'state' | 'expiresAt' | 'revokedAt' | 'issuedBy'
  > = {
    isTest: false,
    scopes: ['read', 'register'],
    state: 'active',
    expiresAt: null,
    revokedAt: null,
    issuedBy: 'ana@example.com',
  };
  return {
    items: [
      { ...one, id: 4, name: 'Shop, production', prefix: 'lb_7aK2pQ', createdAt: ago(900), lastUsedAt: ago(0.1) },
      {
        ...one,
        id: 3,
        name: 'Shop, staging',
        prefix: 'lb_Q9xR4t',
        isTest: true,
        createdAt: ago(1400),
        expiresAt: ago(-2000),
        lastUsedAt: null,
      },
      {
        ...one,
        id: 2,
        name: 'Agency',
        prefix: 'lb_m3Zw8B',
        state: 'revoked',
        createdAt: ago(4000),
        revokedAt: ago(90),
        lastUsedAt: ago(91),
        issuedBy: 'operator root',
      },
      {
        ...one,
        id: 1,
        name: 'Black Friday 2025',
        prefix: 'lb_h5Yc1N',
        state: 'expired',
        createdAt: ago(9000),
        expiresAt: ago(7000),
        lastUsedAt: ago(7100),
        issuedBy: null,
      },
    ],
  };
};

const people = (): ListPeopleReply => {
  const one: Omit<Person, 'id' | 'email' | 'role'> = {
    state: 'active',
    accounts: [],
    hasSecondFactor: true,
    invitedUntil: null,
    seenAt: ago(2),
    createdAt: ago(5000),
  };
  const invited = { ...one, state: 'invited', hasSecondFactor: false, seenAt: null } as const;
  const [acme, globex] = [
    { id: 1, name: 'Acme Store' },
    { id: 2, name: 'Globex' },
  ];
  return {
    items: [
      { ...one, id: 1, email: 'ana@example.com', role: 'admin' },
      { ...one, id: 2, email: 'bo@example.com', role: 'operator', seenAt: ago(300) },
      { ...one, id: 3, email: 'cleo.rodriguez@agency.example', role: 'marketer', accounts: [acme, globex] },
      {
        ...invited,
        id: 4,
        email: 'dan@acme.example',
        role: 'partner-admin',
        accounts: [acme],
        invitedUntil: ago(-100),
      },
      { ...invited, id: 5, email: 'eva@acme.example', role: 'partner-viewer', accounts: [acme], invitedUntil: ago(3) },
      { ...one, id: 6, email: 'fred@acme.example', role: 'partner-viewer', accounts: [acme], state: 'disabled' },
    ],
    isPartial: false,
  };
};

const accounts = (): ListAccountsReply => ({
  items: [
    {
      id: 1,
      name: 'Acme Store',
      status: 'active',
      hidesPages: false,
      country: 'AR',
      rateLimit: 200,
      gpc: 'respect',
      erased: 'allow',
      createdAt: ago(9000),
    },
    {
      id: 2,
      name: 'Globex',
      status: 'suspended',
      hidesPages: false,
      country: 'BR',
      rateLimit: 50,
      gpc: 'measure',
      erased: 'suppress',
      createdAt: ago(700),
    },
  ],
  isPartial: false,
});

/** Keys and the audit log of an account. */
export const keysDouble = (): Router =>
  express
    .Router({ mergeParams: true })
    .get('/:account/keys', ({ params }, response) => {
      response.json(params.account === '1' ? keys() : { items: [] });
    })
    .get('/:account/audit', (_request, response) => void response.json(auditDouble(1)));

/** What is not within one account. */
export const administrationDouble = (): Router =>
  express
    .Router()
    .get('/people', (_request, response) => void response.json(people()))
    .post('/people', (_request, response) => {
      const url = `https://console.example.com/invitation#${'i'.repeat(43)}`;
      const reply: InvitationReply = { id: 7, email: 'gil@example.com', url, expiresAt: ago(-168) };
      response.json(reply);
    })
    .get('/accounts', (_request, response) => void response.json(accounts()))
    .get('/audit', (_request, response) => void response.json(auditDouble(null)));
