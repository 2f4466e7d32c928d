import { type ContactCipher, preparedStatement, type Queryable } from '@leadback/db';
import type { AccountId, ConsentScope, VisitorContact, VisitorData, VisitorLead } from '@leadback/domain';
import { contactOfClient, contactOfLead, type OwnLead } from '@leadback/domain/keys';
import { z } from 'zod';

/** A lead of this browser, or one of which somebody has only the reference: that shows less. */
export type LeadToShow = OwnLead | { readonly reference: string; readonly proof?: never };

/** A recorded lead, as it may be shown. */
export interface StoredLead {
  readonly reference: string;
  readonly accountId: number;
  readonly lead: VisitorLead;
}

interface Row {
  reference: string;
  account_id: number;
  clicked_at: Date;
  title: string | null;
  target_url: string;
  campaign: Record<string, string> | null;
  consent: boolean | null;
  consent_scope: ConsentScope | null;
  global_privacy_control: boolean;
  consent_withdrawn_at: Date | null;
  told: unknown;
  /** If not, all that follows is empty. */
  is_proven: boolean;
  /** Encrypted; null: the visitor left nothing. */
  contact: Buffer | null;
  data_key: Buffer | null;
  /** Whether the lead has exactly one client. */
  is_registered: boolean;
  client_contact: Buffer | null;
  /** The reference of the lead with which it was registered. */
  client_contact_owner: string | null;
}

const toldSchema = z.array(z.object({ platform: z.string(), at: z.coerce.date() })).nullable();

// the function refuses more
const leadsAtOnce = 10;

const read = preparedStatement<Row>(
  'read-leads-of-visitor',
  `select reference, account_id, clicked_at, title, target_url, campaign, consent, consent_scope, global_privacy_control,
          consent_withdrawn_at, told, is_proven, contact, data_key, is_registered, client_contact,
          client_contact_owner
   from visitor_leads($1, $2)`,
);

/** Nothing if it cannot be decrypted. */
const contactOf = (row: Row, contacts: ContactCipher): Omit<VisitorData, 'registered'> => {
  const { account_id: accountId, reference, contact, data_key: dataKey } = row;
  const owner = contactOfLead(accountId, reference);
  const decrypted = contacts.decrypt({ accountId, owner, dataKey, contact });
  const { name = null, email = null, phone = null, ipAddress = null } = decrypted;
  return { name, email, phone, ipAddress };
};

const registeredOf = (row: Row, contacts: ContactCipher): VisitorContact | null => {
  const { account_id: accountId, client_contact_owner: reference, client_contact: contact, data_key: dataKey } = row;
  if (!row.is_registered || reference === null) return null;
  const owner = contactOfClient(accountId, reference);
  const { name = null, email = null, phone = null } = contacts.decrypt({ accountId, owner, dataKey, contact });
  return { name, email, phone };
};

const storedLead = (row: Row, contacts: ContactCipher): StoredLead => ({
  reference: row.reference,
  accountId: row.account_id,
  lead: {
    clickedAt: row.clicked_at,
    title: row.title,
    targetUrl: row.target_url,
    campaign: row.campaign ?? {},
    consent: row.consent,
    consentScope: row.consent_scope,
    globalPrivacyControl: row.global_privacy_control,
    consentWithdrawnAt: row.consent_withdrawn_at,
    own: row.is_proven ? { ...contactOf(row, contacts), registered: registeredOf(row, contacts) } : null,
    told: toldSchema.parse(row.told) ?? [],
  },
});

/** Finds leads by their exact references, the newest click first. */
export const readVisitorLeads = async (
  on: Queryable,
  leads: readonly LeadToShow[],
  contacts: ContactCipher,
): Promise<StoredLead[]> => {
  const rows: Row[] = [];
  for (let from = 0; from < leads.length; from += leadsAtOnce) {
    const some = leads.slice(from, from + leadsAtOnce);
    rows.push(...(await read(on, [some.map(({ reference }) => reference), some.map(({ proof }) => proof ?? null)])));
  }
  const newestFirst = rows.toSorted(
    (one, other) => other.clicked_at.getTime() - one.clicked_at.getTime() || (one.reference < other.reference ? -1 : 1),
  );
  return newestFirst.map((row) => storedLead(row, contacts));
};

interface Withdrawn {
  readonly is_recorded: boolean;
}

const withdraw = preparedStatement<Withdrawn>('withdraw-consent', 'select withdraw_consent($1) as is_recorded');

const withdrawIn = preparedStatement<Withdrawn>(
  'withdraw-consent-in-account',
  'select withdraw_consent_in($1, $2) as is_recorded',
);

const withdrawSurely = async (withdrawOnce: () => Promise<readonly Withdrawn[]>): Promise<void> => {
  const [first] = await withdrawOnce();
  // The wish is committed now. A lead that was recorded meanwhile may not have seen it: this sees the lead. One that is
  // recorded later sees the wish.
  if (!first?.is_recorded) await withdrawOnce();
};

/**
 * Withdraws the consent that a visitor gave with a lead: platforms are told nothing more of it. The wish of a lead that is
 * buffered is kept until it is recorded. Needs no transaction: each statement must be committed when it ends.
 */
export const withdrawConsent = (on: Queryable, reference: string): Promise<void> =>
  withdrawSurely(() => withdraw(on, [reference]));

/** The same for a page of an account: a lead of another one stays as it is. */
export const withdrawConsentIn = (on: Queryable, accountId: AccountId, reference: string): Promise<void> =>
  withdrawSurely(() => withdrawIn(on, [accountId, reference]));

const apply = preparedStatement('apply-consent-withdrawals', 'select apply_consent_withdrawals($1)');

/**
 * Withdraws the consent of leads whose visitors have asked for it before they were recorded. Call it after the commit that
 * recorded them: a wish that is not committed by then sees the leads itself.
 */
export const applyConsentWithdrawals = async (on: Queryable, references: readonly string[]): Promise<void> => {
  await apply(on, [references]);
};
