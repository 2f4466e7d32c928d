import { type Currency, sharingOf } from '@leadback/domain';
import type { DescribedMatch, Story } from '@leadback/reports';
import type { Match, StoryClient, StoryConversion, StoryLead, StoryReply } from '../contract/find.ts';
import type { PersonalData } from '../personal-data.ts';
import { describeDelivery } from './deliveries.ts';

/** How somebody sees what was found. */
export interface DataFor extends PersonalData {
  readonly leadReference: (reference: string) => string;
}

type Client = Story['clients'][number];
type Conversion = Client['conversions'][number];

export const describeMatch = ({ name, email, at, leadReference, ...match }: DescribedMatch, data: DataFor): Match => ({
  ...match,
  leadReference: data.leadReference(leadReference),
  name: data.name(name),
  email: data.email(email),
  at: at.toISOString(),
});

const hostOf = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.host ?? null));

const isCampaign = ({ name }: { readonly name: string }): boolean => name.startsWith('utm_');

const describeLead = ({ clickParameters, clickTimes, referrer, createdAt, ...lead }: Story['lead'], data: DataFor) => {
  const { id, reference, page, name, email, phone } = lead;
  const parameters = Object.entries(clickParameters).map(([parameter, value]) => ({ name: parameter, value }));
  const times: Readonly<Partial<Record<string, string>>> = clickTimes ?? {};
  return {
    id,
    reference: data.leadReference(reference),
    page,
    campaign: parameters.filter(isCampaign),
    clicks: parameters
      .filter((one) => !isCampaign(one))
      .map((one) => ({ name: one.name, value: data.clickId(one.value), clickedAt: times[one.name] ?? null })),
    referrer: hostOf(referrer),
    name: data.name(name),
    email: data.email(email),
    phone: data.phone(phone),
    sharing: sharingOf(lead),
    createdAt: createdAt.toISOString(),
  } satisfies StoryLead;
};

const describeConversion = ({ amount: registered, currency, ...conversion }: Conversion): StoryConversion => {
  const { id, externalReference, eventName, isTest, occurredAt, createdAt, deliveries, adjustments } = conversion;
  const amountOf = (amount: string): { readonly currency: Currency; readonly amount: string } => ({ currency, amount });
  return {
    id,
    externalReference,
    eventName,
    amount: amountOf(registered),
    total: amountOf(adjustments.at(-1)?.amount ?? registered),
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    isTest,
    deliveries: deliveries.map(describeDelivery),
    adjustments: adjustments.map((adjustment) => ({
      id: adjustment.id,
      kind: adjustment.kind,
      externalReference: adjustment.externalReference,
      amount: amountOf(adjustment.amount),
      occurredAt: adjustment.occurredAt.toISOString(),
      deliveries: adjustment.deliveries.map(describeDelivery),
    })),
  };
};

const describeClient = (client: Client, data: PersonalData): StoryClient => ({
  id: client.id,
  name: data.name(client.name),
  email: data.email(client.email),
  phone: data.phone(client.phoneNumber),
  externalReference: client.externalReference,
  isTest: client.isTest,
  createdAt: client.createdAt.toISOString(),
  deliveries: client.deliveries.map(describeDelivery),
  conversions: client.conversions.map(describeConversion),
  hasMoreConversions: client.hasMoreConversions,
});

export const describeStory = ({ lead, clients, otherClients }: Story, data: DataFor): StoryReply => ({
  isMasked: data.isMasked,
  lead: describeLead(lead, data),
  clients: clients.map((client) => describeClient(client, data)),
  otherClients,
});
