import type { Delivery, ReadDeliveryReply, RetryDeliveriesReply } from '../../../../src/contract/deliveries.ts';

type Attempt = ReadDeliveryReply['attempts'][number];
type Left = RetryDeliveriesReply['left'][number];

export interface DeliveriesTexts {
  readonly title: string;
  readonly intro: string;
  readonly states: Readonly<Record<Delivery['state'], string>>;
  readonly events: Readonly<Record<Delivery['event'], string>>;
  readonly outcomes: Readonly<Record<Attempt['outcome'], string>>;
  readonly columns: Readonly<
    Record<'select' | 'event' | 'platform' | 'state' | 'amount' | 'attempts' | 'created', string>
  >;
  readonly filters: string;
  readonly platform: string;
  readonly state: string;
  readonly conversion: string;
  readonly conversionHint: string;
  readonly any: string;
  readonly mode: string;
  readonly live: string;
  readonly test: string;
  readonly connection: (id: number) => string;
  readonly reason: (code: string) => string;
  readonly ofConversion: (id: number) => string;
  readonly only: (what: string) => string;
  readonly clear: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyFiltered: string;
  readonly searchOlder: string;
  readonly end: string;
  readonly select: (name: string) => string;
  readonly selected: (count: string) => string;
  readonly retry: string;
  readonly retrySince: string;
  readonly retrySelected: (count: string) => string;
  readonly retried: (count: string) => string;
  readonly left: Readonly<Record<Left['why'], string>>;
  readonly drawer: (id: string) => string;
  readonly previous: string;
  readonly next: string;
  readonly why: string;
  readonly details: string;
  readonly occurred: string;
  readonly created: string;
  readonly closed: string;
  readonly nextAttempt: string;
  readonly note: string;
  readonly timeline: string;
  readonly noAttempts: string;
  readonly platformRequest: string;
  readonly response: string;
  readonly allOfConversion: string;
  readonly story: string;
  readonly sameReason: string;
  readonly canNotRetry: string;
}

export const deliveriesEn: DeliveriesTexts = {
  title: 'Deliveries',
  intro: 'Each event and each platform that it was delivered to, newest first.',
  states: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed', skipped: 'Skipped' },
  events: { conversion: 'Conversion', lead: 'Lead', restate: 'New amount', retract: 'Cancellation' },
  outcomes: {
    delivered: 'Delivered',
    rejected: 'Event rejected',
    unavailable: 'Platform unavailable',
    throttled: 'Throttled: the platform asked for fewer requests',
    refused: 'Connection rejected',
    requeued: 'Retry requested',
  },
  columns: {
    select: 'Select',
    event: 'Event',
    platform: 'Platform',
    state: 'State',
    amount: 'Amount',
    attempts: 'Attempts',
    created: 'Registered',
  },
  filters: 'Filters',
  platform: 'Platform',
  state: 'State',
  conversion: 'Conversion id',
  conversionHint: 'Find by conversion id',
  any: 'Any',
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  connection: (id) => `Connection ${id}`,
  reason: (code) => `Reason: ${code}`,
  ofConversion: (id) => `Conversion ${id}`,
  only: (what) => `Filter by this: ${what}`,
  clear: 'Clear all filters',
  emptyTitle: 'No deliveries',
  empty: 'Each conversion is delivered to every active connection of the account. Register one, and it appears here.',
  emptyFiltered: 'No delivery matches these filters. Remove one of them.',
  searchOlder: 'Search older deliveries',
  end: 'These are all.',
  select: (name) => `Select ${name}`,
  selected: (count) => `${count} selected`,
  retry: 'Retry',
  retrySince: 'Retry all since this one…',
  retrySelected: (count) => `Retry ${count}`,
  retried: (count) => `${count} pending again.`,
  left: {
    unknown: 'This delivery no longer exists.',
    delivered: 'It was delivered in the meantime: nothing was sent.',
    pending: 'It is pending already: it will be sent without a retry.',
    'connection-inactive': 'Its connection is paused or needs attention. Resume it first.',
    changed: 'It changed in the meantime. Look at it again.',
  },
  drawer: (id) => `Delivery ${id}`,
  previous: 'Previous delivery (k)',
  next: 'Next delivery (j)',
  why: 'Why it was not delivered',
  details: 'Details',
  occurred: 'Occurred',
  created: 'Registered',
  closed: 'Ended',
  nextAttempt: 'Next attempt',
  note: 'Note',
  timeline: 'Attempts',
  noAttempts: 'No attempt yet.',
  platformRequest: 'Request of the platform',
  response: 'Response of the platform',
  allOfConversion: 'All deliveries of this conversion',
  story: 'The whole story of this conversion',
  sameReason: 'All with this reason',
  canNotRetry: 'A retry is not possible now.',
};
