import type { FindReply, Match, StoryReply } from '../../apps/console/src/contract/find.ts';
import type { PreviewPayloadReply } from '../../apps/console/src/contract/deliveries.ts';
import { deliveryDouble } from './deliveries-double.ts';
import { shownReference } from '../../apps/console/src/contract/shared.ts';

const hourMs = 3_600_000;
const start = Date.now() - 72 * hourMs;
const at = (hours: number): string => new Date(start + hours * hourMs).toISOString();

const deliveries = (...ids: readonly number[]) => ids.flatMap((id) => deliveryDouble(id)?.delivery ?? []);

const matchOf = (clientId: number): Match => ({
  foundBy: 'email',
  leadId: clientId,
  clientId,
  conversionId: null,
  name: 'Ana Pérez',
  email: 'ana.perez.with.a.long.name@shop.example.com',
  clientReference: shownReference.parse(`customer-${clientId}`),
  leadReference: '7hT2kQ9vB4xN8mL1cR6yWz',
  page: 'black-friday',
  isTest: clientId === 12,
  conversionReference: null,
  amount: null,
  at: at(clientId - 10),
});

export const findDouble: FindReply = { matches: [matchOf(11), matchOf(12)], hasMore: true };

/** A click on Google that became two sales, one of them refunded in part. */
export const storyDouble: StoryReply = {
  isMasked: true,
  lead: {
    id: 11,
    reference: '7hT2kQ9vB4xN8mL1cR6yWz',
    page: 'black-friday',
    campaign: [
      { name: 'utm_source', value: 'google' },
      { name: 'utm_medium', value: 'cpc' },
      { name: 'utm_campaign', value: 'black-friday-2026-latam' },
    ],
    clicks: [
      { name: 'gclid', value: 'EAIa•••', clickedAt: at(-48) },
      { name: '_fbp', value: 'fb.1•••', clickedAt: null },
    ],
    referrer: 'www.google.com',
    name: null,
    email: 'a•••@g•••.com',
    phone: null,
    sharing: 'granted',
    createdAt: at(0),
  },
  clients: [
    {
      id: 11,
      name: 'A••• P•••',
      email: 'a•••@s•••.com',
      phone: '•••99',
      externalReference: shownReference.parse('customer-11'),
      isTest: false,
      createdAt: at(2),
      deliveries: deliveries(198),
      conversions: [
        {
          id: 4191,
          externalReference: shownReference.parse('order-2026-191'),
          eventName: 'subscription',
          amount: { currency: 'USD', amount: '249.90' },
          total: { currency: 'USD', amount: '99.90' },
          occurredAt: at(3),
          createdAt: at(4),
          isTest: false,
          deliveries: deliveries(190, 191, 192),
          adjustments: [
            {
              id: 7,
              kind: 'restate',
              externalReference: shownReference.parse('refund-2026-7'),
              amount: { currency: 'USD', amount: '99.90' },
              occurredAt: at(30),
              deliveries: deliveries(196),
            },
          ],
        },
        {
          id: 4195,
          externalReference: null,
          eventName: null,
          amount: { currency: 'ARS', amount: '1250000.00' },
          total: { currency: 'ARS', amount: '1250000.00' },
          occurredAt: at(50),
          createdAt: at(50),
          isTest: true,
          deliveries: [],
          adjustments: [],
        },
      ],
      hasMoreConversions: false,
    },
  ],
  otherClients: 3,
};

export const payloadDouble: PreviewPayloadReply = {
  kind: 'event',
  event: {
    event_name: 'Purchase',
    event_time: 1_795_378_241,
    event_id: 'order-2026-192',
    action_source: 'website',
    event_source_url: 'https://landing.example/black-friday?…',
    user_data: { em: ['7851…'], ph: ['0b1c…'], client_ip_address: '203.…', fbc: 'fb.1…' },
    custom_data: { value: 249.9, currency: 'USD', order_id: 'order-2026-192' },
  },
  isTest: false,
  note: null,
  held: null,
};
