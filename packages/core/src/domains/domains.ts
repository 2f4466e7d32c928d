import type { Resolver } from 'node:dns/promises';
import { type Pool, type Queryable, statement, transaction } from '@leadback/db';
import type { AccountId, DnsRecord, DomainFinding, DomainState } from '@leadback/domain';
import { audit } from '../audit.ts';
import { announceDomainState } from '../delivery/webhook-deliveries.ts';
import { ActionRefused } from '../people/access.ts';
import {
  DnsUnavailable,
  findDnsProblem,
  findLandingHost,
  isProved,
  type LandingHost,
  landingHostFor,
  proofRecord,
  recordFor,
} from './dns.ts';
import { readDomainName } from './name.ts';

/** For so long after it was removed, nobody else gets a name that its account had proved, without a proof of their own. */
const keptDays = 7;
const domainsMax = 100;

// Anybody may know it: only who owns a name can write it into the DNS of that name, and thereby names the account.
const tokenOf = (account: string, name: string) =>
  `(select left(encode(sha256(convert_to(concat_ws(' ', i.id, ${account}, ${name}), 'UTF8')), 'hex'), 32) from installation i)`;

interface Row {
  readonly id: number;
  readonly accountId: AccountId;
  readonly name: string;
  readonly state: DomainState;
  readonly stateSince: Date;
  readonly finding: DomainFinding | null;
  readonly checkedAt: Date | null;
  readonly provedAt: Date | null;
  readonly createdAt: Date;
  readonly token: string;
}

const columnsOf = (
  d: string,
) => `${d}.id, ${d}.account_id as "accountId", ${d}.name, ${d}.state, ${d}.state_since as "stateSince",
  ${d}.finding, ${d}.checked_at as "checkedAt", ${d}.proved_at as "provedAt", ${d}.created_at as "createdAt",
  ${tokenOf(`${d}.account_id`, `${d}.name`)} as token`;

/** A domain of an account. */
export interface DomainRecord extends Omit<Row, 'token'> {
  /** With which it leads to landing. */
  readonly record: DnsRecord;
  /** With which its account proves that it is its own. */
  readonly proof: DnsRecord;
}

const described = ({ token, ...row }: Row, landing: LandingHost): DomainRecord => ({
  ...row,
  record: recordFor(row.name, landing),
  proof: proofRecord(row.name, token),
});

/** Where landing is, and whom to ask. */
export interface DomainTools {
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  readonly dns: Resolver;
}

const landingHost = ({ dns, landingUrl }: DomainTools) => findLandingHost(dns, landingUrl);

interface DomainKey {
  readonly id: number;
  /** Undefined: of any account. */
  readonly accountId?: AccountId | undefined;
}

const noDomain = (id: number) => new ActionRefused('not-found', `there is no domain ${id}`);

const list = statement<Row>(
  `select ${columnsOf('d')} from own_domain d where d.account_id = $1 and d.removed_at is null order by d.name`,
);

/** The domains of an account, by name. */
export const listDomains = async (on: Queryable, accountId: AccountId, tools: DomainTools): Promise<DomainRecord[]> => {
  const rows = await list(on, [accountId]);
  const names = rows.map(({ name }) => name);
  const landing = await landingHostFor(tools.dns, tools.landingUrl, names);
  return rows.map((row) => described(row, landing));
};

const find = statement<Row>(
  `select ${columnsOf('d')} from own_domain d
   where d.id = $1 and ($2::bigint is null or d.account_id = $2) and d.removed_at is null`,
);

const findRow = async (on: Queryable, { id, accountId }: DomainKey): Promise<Row> => {
  const [row] = await find(on, [id, accountId ?? null]);
  if (!row) throw noDomain(id);
  return row;
};

/** Throws `ActionRefused` if there is no such domain. */
export const findDomain = async (
  on: Queryable,
  key: DomainKey,
  { dns, landingUrl }: DomainTools,
): Promise<DomainRecord> => {
  const row = await findRow(on, key);
  return described(row, await landingHostFor(dns, landingUrl, [row.name]));
};

const findByName = statement<{ id: number; accountId: AccountId }>(
  'select id, account_id as "accountId" from own_domain where name = $1 and removed_at is null',
);

// the account that had it last
const findKept = statement<{ accountId: AccountId }>(
  `select account_id as "accountId" from (
     select account_id, removed_at, proved_at from own_domain where name = $1 and removed_at is not null
     order by removed_at desc limit 1) last
   where proved_at is not null and removed_at > now() - interval '${keptDays} days' and account_id <> $2`,
);

const readToken = statement<{ token: string }>(`select ${tokenOf('$1::bigint', '$2::text')} as token`);

const count = statement<{ domains: number }>(
  'select count(*)::int as domains from own_domain where account_id = $1 and removed_at is null',
);

// of another account, whatever it is by now
const takeAway = statement<{ id: number; accountId: AccountId }>(
  `update own_domain set removed_at = now(), changed_at = now()
   where name = $1 and removed_at is null and account_id <> $2 returning id, account_id as "accountId"`,
);

// of two that add a name at the same time, the index lets one
const insert = statement<{ id: number }>(
  `insert into own_domain (account_id, name, proved_at) values ($1, $2, case when $3 then now() end)
   on conflict (name) where removed_at is null do nothing returning id`,
);

interface NewDomain extends DomainTools {
  readonly accountId: AccountId;
  readonly actor: string;
  readonly name: string;
  /** Public URLs of the installation, whose hosts are refused. */
  readonly ownUrls: readonly string[];
}

/** A name is for who proves it. */
export class NameToProve extends ActionRefused {
  readonly proof: DnsRecord;

  constructor(proof: DnsRecord, message: string) {
    super('conflict', message);
    this.proof = proof;
  }
}

const mustProve = (name: string, proof: DnsRecord, why: string, dnsSaid = '') =>
  new NameToProve(
    proof,
    `name: ${why} ${name}. If it is yours, prove it: create the record ${proof.host} TXT "${proof.value}", and add the name again${dnsSaid}`,
  );

/** Why an account has to prove a name before it gets it; undefined: it need not. */
const reasonToProve = async (on: Queryable, accountId: AccountId, name: string): Promise<string | undefined> => {
  const [holder] = await findByName(on, [name]);
  if (holder && holder.accountId !== accountId) return 'another account has';
  if (holder) return undefined;
  const [kept] = await findKept(on, [name, accountId]);
  return kept && `for ${keptDays} days, nothing is free that another account had proved, as it had`;
};

/**
 * Adds a domain to an account, which shows its pages there at once. A name of another account, or one that another account has
 * proved and removed within seven days, is for who proves it by a TXT record: then the other account loses it.
 */
export const addDomain = async (
  pool: Pool,
  { accountId, actor, name: typed, ownUrls, ...tools }: NewDomain,
): Promise<DomainRecord> => {
  const name = readDomainName(typed, ownUrls);
  const [{ token } = { token: '' }] = await readToken(pool, [accountId, name]);
  const proof = proofRecord(name, token);
  const why = await reasonToProve(pool, accountId, name);
  let hasProof = false;
  if (why !== undefined) {
    try {
      hasProof = await isProved(tools.dns, proof);
    } catch (error) {
      if (!(error instanceof DnsUnavailable)) throw error;
      throw mustProve(name, proof, why, `. DNS gave no answer (${error.message}); try again later`);
    }
    if (!hasProof) throw mustProve(name, proof, why);
  }
  const id = await transaction(pool, async (on) => {
    const [own] = await findByName(on, [name]);
    if (own?.accountId === accountId) return own.id;
    const [{ domains } = { domains: 0 }] = await count(on, [accountId]);
    if (domains >= domainsMax) {
      throw new ActionRefused('conflict', `name: the account has ${domainsMax} domains; remove one first`);
    }
    const [lost] = hasProof ? await takeAway(on, [name, accountId]) : [];
    const [added] = await insert(on, [accountId, name, hasProof]);
    // another account may have added it since, or removed it
    const [kept] = added && !hasProof ? await findKept(on, [name, accountId]) : [];
    if (!added || kept) throw mustProve(name, proof, 'another account has');
    if (lost) {
      const details = { name };
      const target = `domain ${lost.id}`;
      await audit(on, { actor: 'leadback', action: 'domain.lose', accountId: lost.accountId, target, details });
      await announceDomainState(on, { accountId: lost.accountId, domainId: lost.id, name, state: 'lost' });
    }
    const details = { name, ...(hasProof && { proved: true }) };
    await audit(on, { actor, action: 'domain.add', accountId, target: `domain ${added.id}`, details });
    return added.id;
  });
  return findDomain(pool, { id }, tools);
};

const remove = statement<{ name: string; accountId: AccountId; isProved: boolean }>(
  `update own_domain set removed_at = now(), changed_at = now()
   where id = $1 and ($2::bigint is null or account_id = $2) and removed_at is null
   returning name, account_id as "accountId", proved_at is not null as "isProved"`,
);

interface Removal extends DomainKey {
  readonly actor: string;
}

interface RemovedDomain {
  readonly id: number;
  readonly name: string;
  /** For how many days other accounts have to prove it; null: it is free at once. */
  readonly keptDays: number | null;
}

/** Takes a domain from its account: within seconds, landing shows no page there. */
export const removeDomain = (pool: Pool, { id, accountId, actor }: Removal): Promise<RemovedDomain> =>
  transaction(pool, async (on) => {
    const [removed] = await remove(on, [id, accountId ?? null]);
    if (!removed) throw noDomain(id);
    const { name, isProved: hadProof } = removed;
    const target = `domain ${id}`;
    await audit(on, { actor, action: 'domain.remove', accountId: removed.accountId, target, details: { name } });
    return { id, name, keptDays: hadProof ? keptDays : null };
  });

// Soon after a change, and then more and more seldom: somebody is waiting, or nobody is.
const nextCheck = `now() + least(interval '6 hours', greatest(interval '30 seconds', (now() - d.state_since) / 10))`;

const note = statement<{ accountId: AccountId; name: string; state: DomainState; before: DomainState }>(
  `with known as (select id, state from own_domain where id = $1 and removed_at is null for update),
   found as (
     select id, state as before,
            case when $2::jsonb is null then 'active'
                 when $2::jsonb ->> 'kind' = 'missing' and state = 'waiting' then 'waiting' else 'wrong' end as state
     from known)
   update own_domain d
   set state = found.state, state_since = case when found.state = found.before then d.state_since else now() end, finding = $2::jsonb,
       checked_at = now(), check_after = ${nextCheck},
       proved_at = coalesce(d.proved_at, case when $3 then now() end)
   from found where d.id = found.id
   returning d.account_id as "accountId", d.name, d.state, found.before`,
);

const checkRow = async (pool: Pool, row: Row, landing: LandingHost, dns: Resolver): Promise<void> => {
  const [problem, proved] = await Promise.all([
    findDnsProblem(dns, row.name, landing),
    // a domain that leads here need not be proved
    isProved(dns, proofRecord(row.name, row.token)).catch(() => false),
  ]);
  await transaction(pool, async (on) => {
    const [noted] = await note(on, [row.id, problem === undefined ? null : JSON.stringify(problem), proved]);
    if (!noted || noted.state === noted.before || noted.state === 'waiting') return;
    const { accountId, name, state } = noted;
    await announceDomainState(on, { accountId, domainId: row.id, name, state });
  });
};

export interface CheckedDomain extends DomainRecord {
  /** Why DNS could not be asked: then the rest is as it was; null: it was. */
  readonly unanswered: string | null;
}

/** Asks DNS where a domain leads now, and keeps it. */
export const checkDomain = async (pool: Pool, key: DomainKey, tools: DomainTools): Promise<CheckedDomain> => {
  const [row, landing] = [await findRow(pool, key), await landingHost(tools)];
  let unanswered: string | null = null;
  try {
    await checkRow(pool, row, landing, tools.dns);
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error;
    unanswered = error.message;
  }
  return { ...described(await findRow(pool, key), landing), unanswered };
};

const checkedAtOnce = 10;

// nobody else takes them meanwhile; a console that stops leaves them for the next one
const takeDue = statement<Row>(
  `update own_domain d set check_after = now() + interval '2 minutes'
   where d.id = any(array(
     select id from own_domain where removed_at is null and check_after <= now()
     order by check_after limit ${checkedAtOnce} for update skip locked))
   returning ${columnsOf('d')}`,
);

/** Checks the domains whose turn it is. Returns whether there may be more. */
export const checkDueDomains = async (pool: Pool, tools: DomainTools): Promise<boolean> => {
  const due = await takeDue(pool, []);
  if (due.length === 0) return false;
  const landing = await landingHost(tools);
  await Promise.all(
    due.map((row) =>
      checkRow(pool, row, landing, tools.dns).catch((error: unknown) => {
        // it is tried again in two minutes
        if (!(error instanceof DnsUnavailable)) throw error;
      }),
    ),
  );
  return due.length === checkedAtOnce;
};
