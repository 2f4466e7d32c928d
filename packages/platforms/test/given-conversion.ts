import type { AttributedConversion } from '@leadback/domain';

/** When all of these tests take place. */
export const now = Date.parse('2026-11-21T12:00:00.567Z');

interface Given extends Partial<Omit<AttributedConversion, 'client' | 'lead'>> {
  readonly client?: Partial<AttributedConversion['client']>;
  readonly lead?: Partial<AttributedConversion['lead']>;
}

/** A conversion of which nothing is known but what the test gives. */
export const givenConversion = ({ client, lead, ...conversion }: Given = {}): AttributedConversion => ({
  id: 41,
  externalReference: null,
  amount: '100.20',
  currency: 'USD',
  createdAt: new Date(now),
  accountCountry: 'AR',
  ...conversion,
  client: { id: 7, externalReference: null, name: null, email: null, phoneNumber: null, ...client },
  lead: {
    clickMarks: {},
    ipAddress: null,
    userAgent: null,
    landingUrl: null,
    clickedAt: lead?.createdAt ?? new Date(now),
    sharing: 'unasked',
    createdAt: new Date(now),
    ...lead,
  },
});
