import { domainStates, type DomainFinding } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const OwnDomainSchema = defineEntity({
  name: 'OwnDomain',
  tableName: 'own_domain',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    /** In ASCII and lower case, without a full stop at the end. */
    name: p.text(),
    /** As the last check of its DNS says that got an answer. */
    state: p.enum(domainStates).default('waiting'),
    stateSince: p.datetime(6).defaultRaw('now()'),
    /** What that check found. Null: nothing is wrong, or nothing was checked yet. */
    finding: p.json<DomainFinding>().nullable(),
    checkedAt: p.datetime(6).nullable(),
    checkAfter: p.datetime(6).defaultRaw('now()'),
    /** When the TXT record of its account was first seen. */
    provedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** When its account removed it, or lost it to one that proved it. Its row stays: nobody else gets a proved name at once. */
    removedAt: p.datetime(6).nullable(),
    /** When it was added or removed; landing apps find changes by it. */
    changedAt: p.datetime(6).defaultRaw('now()').index(),
  },
  indexes: [
    {
      name: 'own_domain_name_unique',
      expression: 'create unique index own_domain_name_unique on own_domain (name) where removed_at is null',
    },
    {
      name: 'own_domain_removed_index',
      expression: 'create index own_domain_removed_index on own_domain (name, removed_at) where removed_at is not null',
    },
    {
      name: 'own_domain_check_after_index',
      expression: 'create index own_domain_check_after_index on own_domain (check_after) where removed_at is null',
    },
  ],
});

/** A domain of an advertiser, under which landing shows the pages of its account alone. */
export class OwnDomain extends OwnDomainSchema.class {}
OwnDomainSchema.setClass(OwnDomain);
