import { preparedStatement, type Queryable } from '@leadback/db';
import type { ConsentScope, VisitorLead } from '@leadback/domain';
import { z } from 'zod';

/** A recorded lead, as its visitor may see it. */
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
  name: string | null;
  email: string | null;
  phone: string | null;
  ip_address: string | null;
  told: unknown;
}

const toldSchema = z.array(z.object({ platform: z.string(), at: z.coerce.date() })).nullable();

const read = preparedStatement<Row>(
  'read-leads-of-visitor',
  'select * from visitor_leads($1) order by clicked_at desc, reference',
);

const storedLead = (row: Row): StoredLead => ({
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
    name: row.name,
    email: row.email,
    phone: row.phone,
    ipAddress: row.ip_address,
    told: toldSchema.parse(row.told) ?? [],
  },
});

/** Finds leads by their exact references, the newest click first. */
export const readVisitorLeads = async (on: Queryable, references: readonly string[]): Promise<StoredLead[]> =>
  references.length === 0 ? [] : (await read(on, [references])).map((row) => storedLead(row));
