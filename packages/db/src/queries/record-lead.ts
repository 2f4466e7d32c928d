import type { AccountId, ClickMarks } from '@leadback/domain';
import type { Pool } from 'pg';
import { blameOf } from '../database-failure.ts';
import { group } from '../group.ts';
import { preparedStatement } from '../prepared-statement.ts';

export interface NewLead {
  readonly accountId: AccountId;
  readonly landingPageId: number;
  readonly reference: string;
  readonly clickMarks: ClickMarks;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly acceptLanguage: string | null;
  readonly referrer: string | null;
  readonly landingUrl: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** null: the page did not ask. */
  readonly consent: boolean | null;
}

// One statement and one commit for all leads that arrive together. They travel as one JSON parameter, so that the
// statement is the same for any number of them.
const insertLeads = preparedStatement<{ reference: string }>(
  'record-leads',
  `insert into lead (account_id, landing_page_id, reference, click_marks, ip_address, user_agent, accept_language,
                     referrer, landing_url, name, email, phone, consent)
   select "accountId", "landingPageId", reference, "clickMarks", "ipAddress", "userAgent", "acceptLanguage",
          referrer, "landingUrl", name, email, phone, consent
   from json_to_recordset($1) as (
     "accountId" bigint, "landingPageId" bigint, reference text, "clickMarks" jsonb, "ipAddress" text,
     "userAgent" text, "acceptLanguage" text, referrer text, "landingUrl" text, name text, email text, phone text,
     consent boolean)
   returning reference`,
);

/** Gives a function that records one lead and resolves with its reference once it is on disk. */
export const leadRecorder = (pool: Pool): ((lead: NewLead) => Promise<string>) =>
  group(
    async (leads: readonly NewLead[]) => {
      await insertLeads(pool, [JSON.stringify(leads)]);
      return leads.map(({ reference }) => reference);
    },
    { itemsMax: 50, runsMax: 2, blame: blameOf },
  );
