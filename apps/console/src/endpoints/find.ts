import { type Currency, Refusal, sharingOf } from '@leadback/domain';
import { auditView } from '@leadback/core/audit';
import { type DescribedMatch, findByText } from '@leadback/core/story/find';
import { readStory, type Story } from '@leadback/core/story/story';
import { ConsoleRefusal } from '../console-refusal.ts';
import {
  findInput,
  findReply,
  type Match,
  type StoryClient,
  type StoryConversion,
  type StoryLead,
  type StoryReply,
  storyInput,
  storyReply,
} from '../contract/find.ts';
import { isSearchForPerson, type PersonalData } from '../personal-data.ts';
import { type DataFor, dataFor } from '../sessions/authenticate.ts';
import { describeDelivery } from './deliveries.ts';
import { ofAccount } from './guard.ts';

type Client = Story['clients'][number];
type Conversion = Client['conversions'][number];

const describeMatch = (
  { name, email, at, leadReference, clientReference, conversionReference, ...match }: DescribedMatch,
  data: DataFor,
): Match => ({
  ...match,
  clientReference: data.reference(clientReference),
  conversionReference: data.reference(conversionReference),
  leadReference: data.leadReference(leadReference),
  name: data.name(name),
  email: data.email(email),
  at: at.toISOString(),
});

const hostOf = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.host ?? null));

const isCampaign = ({ name }: { readonly name: string }): boolean => name.startsWith('utm_');

const describeLead = ({ clickParameters, clickTimes, referrer, createdAt, ...lead }: Story['lead'], data: DataFor) => {
  const { id, reference, page, name, email, phone, isTest } = lead;
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
    isTest,
  } satisfies StoryLead;
};

const describeConversion = (
  { amount: registered, currency, ...conversion }: Conversion,
  data: PersonalData,
): StoryConversion => {
  const { id, leadId, externalReference, eventName, isTest, occurredAt, createdAt, deliveries, adjustments } =
    conversion;
  const amountOf = (amount: string): { readonly currency: Currency; readonly amount: string } => ({ currency, amount });
  return {
    id,
    leadId,
    externalReference: data.reference(externalReference),
    eventName,
    amount: amountOf(registered),
    total: amountOf(adjustments.at(-1)?.amount ?? registered),
    occurredAt: occurredAt.toISOString(),
    createdAt: createdAt.toISOString(),
    isTest,
    deliveries: deliveries.map((one) => describeDelivery(one, data)),
    adjustments: adjustments.map((adjustment) => ({
      id: adjustment.id,
      kind: adjustment.kind,
      externalReference: data.reference(adjustment.externalReference),
      amount: amountOf(adjustment.amount),
      occurredAt: adjustment.occurredAt.toISOString(),
      deliveries: adjustment.deliveries.map((one) => describeDelivery(one, data)),
    })),
  };
};

const describeClient = (client: Client, data: PersonalData): StoryClient => ({
  id: client.id,
  name: data.name(client.name),
  email: data.email(client.email),
  phone: data.phone(client.phoneNumber),
  externalReference: data.reference(client.externalReference),
  isTest: client.isTest,
  createdAt: client.createdAt.toISOString(),
  clicks: client.clicks.map(({ leadId, clickedAt, page, campaign }) => ({
    leadId,
    clickedAt: clickedAt.toISOString(),
    page,
    campaign,
  })),
  deliveries: client.deliveries.map((one) => describeDelivery(one, data)),
  conversions: client.conversions.map((one) => describeConversion(one, data)),
  hasMoreConversions: client.hasMoreConversions,
});

const describeStory = ({ lead, clients, otherClients }: Story, data: DataFor): StoryReply => ({
  isMasked: data.isMasked,
  lead: describeLead(lead, data),
  clients: clients.map((client) => describeClient(client, data)),
  otherClients,
});

export const findEndpoints = [
  ofAccount('read', 'reads', {
    method: 'post',
    path: '/accounts/:account/find',
    changes: false,
    input: findInput,
    reply: findReply,
    async handle({ input: { text }, scope, session, actor }, { em, pool, contacts }) {
      const data = dataFor(session);
      // also an empty reply would say who is a customer
      if (data.isMasked && isSearchForPerson(text)) throw new ConsoleRefusal('role-forbids');
      const { matches, hasMore } = await findByText(pool, contacts, scope, text);
      if (!data.isMasked && matches.length > 0) await auditView(em(), actor, scope.accountId);
      return { matches: matches.map((match) => describeMatch(match, data)), hasMore };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/story',
    input: storyInput,
    reply: storyReply,
    async handle({ input, scope, session, actor }, { em, pool, contacts }) {
      const story = await readStory(pool, contacts, scope, input);
      if (!story) throw new Refusal('not-found', { message: 'there is no such lead or client' });
      const data = dataFor(session);
      if (!data.isMasked) await auditView(em(), actor, scope.accountId);
      return describeStory(story, data);
    },
  }),
];
