import type { Contacts, Pool } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { clientContact, leadContact } from '../stored-contact.ts';
import { type ListedDelivery, readListedDeliveries } from './list-deliveries.ts';
import {
  type AdjustmentRow,
  type ClientRow,
  type ConversionRow,
  type LeadRow,
  readAdjustmentRows,
  readClients,
  readConversions,
  readLead,
  readSubjects,
  type SubjectRow,
} from './story-rows.ts';

const clientsMax = 10;
const conversionsMax = 20;
const deliveriesMax = 1_000;

type Delivered = { readonly deliveries: readonly ListedDelivery[] };
export type StoryAdjustment = AdjustmentRow & Delivered;
/** `adjustments`: oldest first. */
export type StoryConversion = ConversionRow & Delivered & { readonly adjustments: readonly StoryAdjustment[] };
export type StoryClient = ClientRow &
  Delivered & {
    /** Oldest first. */
    readonly conversions: readonly StoryConversion[];
    /** Whether there are older ones. */
    readonly hasMoreConversions: boolean;
  };

/** A click, its clients, and all that was told to platforms. */
export interface Story {
  readonly lead: Omit<LeadRow, 'clientId'>;
  /** Newest first. */
  readonly clients: readonly StoryClient[];
  /** How many more clients the lead has, up to 1,000. */
  readonly otherClients: number;
}

/** One of these. A client is told with its lead, and a conversion with its client. */
export interface StoryName {
  readonly lead?: number | undefined;
  readonly client?: number | undefined;
  readonly conversion?: number | undefined;
}

/** Returns undefined if the account has no such lead, client or conversion. */
export type StoryReader = (scope: AccountScope, name: StoryName) => Promise<Story | undefined>;

const readLeadOf = async (
  pool: Pool,
  accountId: number,
  { lead, client, conversion }: StoryName,
  contacts: Contacts,
): Promise<LeadRow | undefined> => {
  const [found] = await readLead(pool, [accountId, lead ?? null, client ?? null, conversion ?? null]);
  if (!found) return undefined;
  const { contact: _, dataKey: __, ...row } = found;
  const ofLead = { accountId, leadReference: row.reference };
  const { phoneNumber: phone, ...others } = leadContact(found, ofLead, contacts);
  return { ...row, ...others, phone };
};

const readClientsOf = async (
  pool: Pool,
  accountId: number,
  { id, clientId, reference: leadReference }: LeadRow,
  contacts: Contacts,
): Promise<ClientRow[]> => {
  const clients = await readClients(pool, [accountId, id, clientId, clientsMax]);
  return clients.map((client) => {
    const { contact: _, dataKey: __, ...row } = client;
    return { ...row, ...clientContact(client, { accountId, leadReference }, contacts) };
  });
};

const readRows = async (pool: Pool, accountId: number, name: StoryName, contacts: Contacts) => {
  const found = await readLeadOf(pool, accountId, name, contacts);
  if (!found) return undefined;
  const { clientId: _, ...lead } = found;
  const clients = await readClientsOf(pool, accountId, found, contacts);
  const clientIds = clients.map(({ id }) => id);
  // one more tells whether there are more
  const conversions = await readConversions(pool, [accountId, clientIds, conversionsMax + 1, name.conversion ?? null]);
  const conversionIds = conversions.map(({ id }) => id);
  const adjustments = await readAdjustmentRows(pool, [accountId, conversionIds]);
  const adjustmentIds = adjustments.map(({ id }) => id);
  const subjects = await readSubjects(pool, [accountId, clientIds, conversionIds, adjustmentIds, deliveriesMax]);
  return { lead, clients, conversions, adjustments, subjects };
};

type DeliveriesOf = (isOf: (subject: SubjectRow) => boolean) => ListedDelivery[];

const conversionOf = (
  conversion: ConversionRow,
  adjustments: readonly AdjustmentRow[],
  deliveriesOf: DeliveriesOf,
): StoryConversion => ({
  ...conversion,
  deliveries: deliveriesOf(({ conversionId }) => conversionId === conversion.id),
  adjustments: adjustments
    .filter(({ conversionId }) => conversionId === conversion.id)
    .map((adjustment) => ({
      ...adjustment,
      deliveries: deliveriesOf(({ adjustmentId }) => adjustmentId === adjustment.id),
    })),
});

export const storyReader =
  (pool: Pool, contacts: Contacts): StoryReader =>
  async (scope, name) => {
    const rows = await readRows(pool, scope.accountId, name, contacts);
    if (!rows) return undefined;
    const { lead, clients, conversions, adjustments, subjects } = rows;
    const listed = await readListedDeliveries(
      pool,
      scope,
      subjects.map(({ id }) => id),
    );
    const byId = new Map(listed.map((delivery) => [delivery.id, delivery]));
    const deliveriesOf: DeliveriesOf = (isOf) => subjects.filter(isOf).flatMap(({ id }) => byId.get(id) ?? []);
    const told = clients.map((client) => {
      const its = conversions.filter(({ clientId }) => clientId === client.id);
      const shown = its.filter(({ id }, at) => at >= its.length - conversionsMax || id === name.conversion);
      return {
        ...client,
        deliveries: deliveriesOf(({ clientId }) => clientId === client.id),
        conversions: shown.map((one) => conversionOf(one, adjustments, deliveriesOf)),
        hasMoreConversions: shown.length < its.length,
      };
    });
    return { lead, clients: told, otherClients: (clients[0]?.ofLead ?? 0) - clients.length };
  };
