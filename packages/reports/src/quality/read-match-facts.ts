import {
  type AccountMode,
  type ClickIdName,
  type ClickParameters,
  clickIdNames,
  type ConsentScope,
  type Contact,
  contactToShare,
  type GpcReading,
  type PlatformName,
  type Sharing,
  sharingOf,
  webhookName,
} from '@leadback/domain';
import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import { clientContact, leadContact } from '../stored-contact.ts';

/** What platforms could match the conversions of a client by. */
export interface MatchFacts {
  /** What platforms may be told of the client. */
  readonly contact: Contact;
  /** Whether the account has given the client an identifier of its own. */
  readonly hasReference: boolean;
  /** What platforms may be told at all. */
  readonly sharing: Sharing;
  /** Of the conversion, by the clock of the database; null: of a client. */
  readonly ageMs: number | null;
  /** Of the client's lead. */
  readonly clickIds: readonly ClickIdName[];
  /** ISO 3166-1 alpha-2: of national phone numbers. */
  readonly country: string;
  /** To which the account has connections. */
  readonly platforms: readonly PlatformName[];
}

interface Row {
  name: string | null;
  email: string | null;
  phone_number: string | null;
  contact: Buffer | null;
  data_key: Buffer | null;
  has_reference: boolean;
  click_marks: ClickParameters;
  lead_name: string | null;
  lead_email: string | null;
  lead_phone: string | null;
  lead_contact: Buffer | null;
  lead_reference: string;
  consent: boolean | null;
  consent_scope: ConsentScope | null;
  global_privacy_control: boolean;
  is_consent_withdrawn: boolean;
  country: string;
  gpc_reading: GpcReading;
  platforms: PlatformName[];
  age_ms: number | null;
}

const factsOf = (client: string, ageMs: string) => `
  select c.name, c.email, c.phone_number, c.contact, l.contact as lead_contact, l.reference as lead_reference,
         account.data_key, coalesce(c.external_reference, c.test_reference) is not null as has_reference,
         l.click_marks, l.name as lead_name, l.email as lead_email, l.phone as lead_phone, l.consent, l.consent_scope,
         l.global_privacy_control, l.consent_withdrawn_at is not null as is_consent_withdrawn, account.country, account.gpc_reading,
         array(select distinct platform from platform_connection
               where account_id = c.account_id and platform <> '${webhookName}') as platforms,
         ${ageMs} as age_ms
  from client c
  cross join lateral (select * from lead where id = c.lead_id and account_id + 0 = c.account_id limit 1) l
  cross join lateral (select country, gpc_reading, data_key from account where id = c.account_id limit 1) account
  where c.account_id + 0 = $1 and c.is_test = $2 and c.id = ${client}`;

const ofClient = preparedStatement<Row>('read-match-facts-of-client', factsOf('$3', 'null::float8'));

const ofConversion = preparedStatement<Row>(
  'read-match-facts-of-conversion',
  factsOf(
    '(select client_id from conversion where id = $3 and account_id + 0 = $1 and is_test = $2 limit 1)',
    `(select extract(epoch from now() - coalesce(occurred_at, created_at))::float8 * 1000
      from conversion where id = $3 and account_id + 0 = $1 limit 1)`,
  ),
);

/** Returns undefined if the account has no such client or conversion in this mode. */
export type MatchFactsReader = (
  mode: AccountMode,
  of: { readonly clientId: number } | { readonly conversionId: number },
) => Promise<MatchFacts | undefined>;

export const matchFactsReader =
  (pool: Pool, contacts: Contacts): MatchFactsReader =>
  async ({ accountId, isTest }, of) => {
    const [row] =
      'clientId' in of
        ? await ofClient(pool, [accountId, isTest, of.clientId])
        : await ofConversion(pool, [accountId, isTest, of.conversionId]);
    if (!row) return undefined;
    const sharing = sharingOf({
      consent: row.consent,
      consentScope: row.consent_scope,
      globalPrivacyControl: row.global_privacy_control,
      gpcReading: row.gpc_reading,
      isWithdrawn: row.is_consent_withdrawn,
    });
    const ofLead = { accountId, leadReference: row.lead_reference };
    const { data_key: dataKey } = row;
    return {
      contact: contactToShare(
        clientContact({ ...row, phoneNumber: row.phone_number, dataKey }, ofLead, contacts),
        leadContact(
          { name: row.lead_name, email: row.lead_email, phone: row.lead_phone, contact: row.lead_contact, dataKey },
          ofLead,
          contacts,
        ),
        sharing,
      ),
      sharing,
      ageMs: row.age_ms,
      hasReference: row.has_reference,
      clickIds: clickIdNames.filter((name) => row.click_marks[name]?.trim()),
      country: row.country,
      platforms: row.platforms,
    };
  };
