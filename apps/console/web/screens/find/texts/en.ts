import type { Match, StoryConversion, StoryLead } from '../../../../src/contract/find.ts';

type Adjustment = StoryConversion['adjustments'][number];

export interface FindTexts {
  readonly title: string;
  readonly intro: string;
  readonly field: string;
  readonly placeholder: string;
  readonly searched: string;
  readonly submit: string;
  readonly startTitle: string;
  readonly start: string;
  readonly noneTitle: (text: string) => string;
  readonly none: string;
  readonly noneNext: string;
  readonly matches: (count: string) => string;
  readonly moreMatches: string;
  readonly backToMatches: string;
  readonly foundBy: Readonly<Record<Match['foundBy'], string>>;
  readonly columns: Readonly<Record<'what' | 'foundBy' | 'person' | 'page' | 'at', string>>;
  readonly conversion: (name: string) => string;
  readonly client: (name: string) => string;
  readonly lead: (name: string) => string;
  readonly copyLink: string;
  readonly masked: string;
  readonly otherClients: (count: string) => string;
  readonly ofLead: string;
  readonly click: string;
  readonly leadTitle: string;
  readonly page: string;
  readonly cameFrom: string;
  readonly onEarlierVisit: (time: string) => string;
  readonly noClick: string;
  readonly leadReference: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly sharing: string;
  readonly sharings: Readonly<Record<StoryLead['sharing'], string>>;
  readonly clientTitle: string;
  readonly reference: string;
  readonly eventName: string;
  readonly registered: string;
  readonly total: (amount: string) => string;
  readonly kinds: Readonly<Record<Adjustment['kind'], string>>;
  readonly noClient: string;
  readonly noConversion: string;
  readonly moreConversions: string;
  readonly deliveries: string;
  readonly noDeliveries: string;
}

export const findEn: FindTexts = {
  title: 'Find',
  intro: 'The whole story of an order, a client or a click.',
  field: 'Order, email, client or lead reference',
  placeholder: 'order-1001 or ana@example.com',
  searched:
    'Finds an order, event or refund id, a conversion id, a client by reference or email, and a lead by its reference or the email that was entered on the page.',
  submit: 'Find',
  startTitle: 'What happened to…?',
  start:
    'Paste what a customer, a partner or a platform gave you. Spelling must be exact; capitals matter only in ids.',
  noneTitle: (text) => `Nothing is called “${text}”`,
  none: 'Searched live and test data of this account: ids of orders, events, refunds and conversions, references and emails of clients, lead references, and emails entered on pages.',
  noneNext: 'Check the spelling and the account. Erased persons are not found by email or reference: try the order id.',
  matches: (count) => `${count} found`,
  moreMatches: 'There are more. Search for an order id or a reference instead.',
  backToMatches: 'Back to what was found',
  foundBy: {
    order: 'Order id',
    event: 'Event id',
    adjustment: 'Refund or change id',
    conversion: 'Conversion id',
    reference: 'Client reference',
    email: 'Email',
    lead: 'Lead reference',
    'lead-email': 'Email entered on the page',
  },
  columns: { what: 'Found', foundBy: 'By', person: 'Person', page: 'Page', at: 'When' },
  conversion: (name) => `Conversion ${name}`,
  client: (name) => `Client ${name}`,
  lead: (name) => `Lead ${name}`,
  copyLink: 'Copy link',
  masked: 'Your role does not see personal data: names, emails, phone numbers and click ids are masked.',
  otherClients: (count) => `${count} more clients came from this click.`,
  ofLead: 'Show the newest',
  click: 'Click',
  leadTitle: 'Lead',
  page: 'Page',
  cameFrom: 'Came from',
  onEarlierVisit: (time) => `on an earlier visit, ${time}`,
  noClick: 'No click id: the visitor came without an ad click, or it was erased.',
  leadReference: 'Lead reference',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  sharing: 'Consent',
  sharings: {
    granted: 'Agreed to sharing',
    agreed_unpersonalised: 'Agreed, without personalisation',
    unpersonalised: 'Without personalisation',
    opted_out: 'Opted out by Global Privacy Control',
    refused: 'Refused',
    withdrawn: 'Withdrawn',
    unasked: 'Not asked',
  },
  clientTitle: 'Client registered',
  reference: 'Reference',
  eventName: 'Event name',
  registered: 'Registered',
  total: (amount) => `now ${amount}`,
  kinds: { restate: 'New amount', retract: 'Cancellation' },
  noClient: 'No client yet. It appears here once your backend registers a client with this lead reference.',
  noConversion: 'No conversion yet. It appears here once your backend registers one for this client.',
  moreConversions: 'Only the newest 20 conversions are shown. Search for an older one by its order id.',
  deliveries: 'Deliveries',
  noDeliveries: 'Delivered to no platform: there was no active connection for it.',
};
