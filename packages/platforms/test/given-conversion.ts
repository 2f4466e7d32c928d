import type { AttributedAdjustment, AttributedConversion, AttributedLead } from '@leadback/domain';

/** The current time in all of these tests. */
export const now = Date.parse('2026-11-21T12:00:00.567Z');

interface Given extends Partial<Omit<AttributedConversion, 'client' | 'lead'>> {
  readonly client?: Partial<AttributedConversion['client']>;
  readonly lead?: Partial<AttributedConversion['lead']>;
}

/** A conversion with only the given data. */
export const givenConversion = ({ client, lead, ...conversion }: Given = {}): AttributedConversion => ({
  kind: 'conversion',
  id: 41,
  eventId: 'order-41',
  externalReference: null,
  amount: '100.20',
  currency: 'USD',
  eventName: null,
  isNewCustomer: null,
  netAmount: null,
  items: [],
  occurredAt: new Date(now),
  accountCountry: 'AR',
  installationId: '5f0c2f3e-6d0f-4c60-9d3f-0a3c5b8f7e11',
  ...conversion,
  client: { id: 7, externalReference: null, name: null, email: null, phoneNumber: null, ...client },
  lead: {
    clickParameters: {},
    ipAddress: null,
    userAgent: null,
    acceptLanguage: null,
    referrer: null,
    landingUrl: null,
    clickTimes: {},
    sharing: 'unasked',
    createdAt: new Date(now),
    ...lead,
  },
});

/** A conversion of 100.20, of which 40.00 was taken back. */
export const givenAdjustment = (
  changes: Partial<Omit<AttributedAdjustment, 'conversion'>> = {},
  conversion: Given = { client: { email: 'ana@example.com' } },
): AttributedAdjustment => ({
  kind: 'restate',
  id: 5,
  amount: '60.20',
  takenBack: '40.00',
  occurredAt: new Date(now),
  conversion: givenConversion(conversion),
  ...changes,
});

/** The registration of the client of such a conversion. */
export const givenLead = (given: Given = {}): AttributedLead => {
  const { eventId, occurredAt, accountCountry, installationId, client, lead } = givenConversion(given);
  return { kind: 'lead', eventId, occurredAt, accountCountry, installationId, client, lead };
};
