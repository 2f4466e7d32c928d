import { type ErasedPersons, queryParameterNames } from '@leadback/domain';
import { type Contacts, preparedStatement, type Queryable, recordBesideErasures } from '@leadback/db';
import { personHashes } from '@leadback/domain/keys';
import type { LeadToRecord } from './lead-to-record.ts';

interface AccountRow {
  readonly id: number;
  readonly data_key: Buffer | null;
  readonly erased_persons: ErasedPersons;
}

const readAccounts = preparedStatement<AccountRow>(
  'accounts-of-leads-that-may-be-erased',
  'select id, data_key, erased_persons from account where id = any($1)',
);

interface ErasedRow {
  readonly place: number;
  readonly is_lead: boolean;
  readonly erased_at: Date;
  /** Whether the account may register the person again. */
  readonly is_allowed: boolean;
}

const findErased = preparedStatement<ErasedRow>(
  'find-erased-leads',
  `select h.place, h.is_lead, e.erased_at, e.allowed_at is not null as is_allowed
   from unnest($1::bigint[], $2::text[], $3::boolean[], $4::int[]) h (account_id, hash, is_lead, place)
   cross join lateral (select erased_at, allowed_at from erased_key where account_id = h.account_id and hash = h.hash limit 1) e`,
);

// clocks of this machine and PostgreSQL's may differ
const clockMarginMs = 60_000;

const withoutContact = (lead: LeadToRecord): LeadToRecord => ({ ...lead, name: null, email: null, phone: null });

const campaignOf = ({ clickParameters }: LeadToRecord): LeadToRecord['clickParameters'] =>
  Object.fromEntries(
    queryParameterNames.flatMap((name) => {
      const value = clickParameters[name];
      return name.startsWith('utm_') && value !== undefined ? [[name, value]] : [];
    }),
  );

/** As an erasure leaves a lead. */
const withoutVisitor = (lead: LeadToRecord): LeadToRecord => ({
  ...withoutContact(lead),
  clickParameters: campaignOf(lead),
  clickTimes: undefined,
  ipAddress: null,
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  traceParent: undefined,
});

const hashedMarks = ({ email, phone, reference }: LeadToRecord) => ({
  lead: { leadReferences: [reference] },
  contact: { emails: email === null ? [] : [email], phoneNumbers: phone === null ? [] : [phone] },
});

/**
 * Leads as they may be recorded: without what was erased after the visit, and without the contact data of erased persons
 * in accounts that do not register those again, and without the visitors of forgotten accounts. Needs the transaction that records them: an erasure either is seen here,
 * or finds them.
 */
export const withoutErased = async (
  on: Queryable,
  leads: readonly LeadToRecord[],
  { openKey }: Pick<Contacts, 'openKey'>,
): Promise<LeadToRecord[]> => {
  const accountIds = leads.map(({ accountId }) => accountId);
  await recordBesideErasures(on, accountIds);
  const accounts = new Map((await readAccounts(on, [accountIds])).map((account) => [account.id, account]));
  const asked = leads.flatMap((lead, place) => {
    const { id, data_key: dataKey } = accounts.get(lead.accountId) ?? { data_key: null };
    if (id === undefined || dataKey === null) return [];
    const [keys, { lead: itself, contact }] = [openKey(id, dataKey), hashedMarks(lead)];
    return [
      ...personHashes(keys, itself).map((hash) => ({ id, hash, isLead: true, place })),
      ...personHashes(keys, contact).map((hash) => ({ id, hash, isLead: false, place })),
    ];
  });
  const erased = await findErased(on, [
    asked.map(({ id }) => id),
    asked.map(({ hash }) => hash),
    asked.map(({ isLead }) => isLead),
    asked.map(({ place }) => place),
  ]);
  const cleaned = leads.map((lead) => (accounts.get(lead.accountId)?.data_key === null ? withoutVisitor(lead) : lead));
  for (const { place, is_lead: isLead, erased_at: erasedAt, is_allowed: isAllowed } of erased) {
    const lead = cleaned[place];
    if (!lead) continue;
    const { visitedAt } = lead;
    const isOlder = visitedAt !== undefined && Date.parse(visitedAt) - clockMarginMs <= erasedAt.getTime();
    if (isLead || isOlder) cleaned[place] = withoutVisitor(lead);
    else if (!isAllowed && accounts.get(lead.accountId)?.erased_persons === 'suppress')
      cleaned[place] = withoutContact(lead);
  }
  return cleaned;
};
