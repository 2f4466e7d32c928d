import type { WebhookDelivery } from '../../../../../src/contract/webhook-deliveries.ts';

export interface LogTexts {
  readonly columns: Readonly<Record<'event' | 'state' | 'response' | 'attempts' | 'happened', string>>;
  readonly log: string;
  readonly anyState: string;
  readonly end: string;
  readonly logEmptyTitle: string;
  readonly logEmpty: string;
  readonly logEmptyFiltered: string;
  readonly noResponse: string;
  readonly noResponseYet: string;
  readonly drawer: (id: string) => string;
  readonly previous: string;
  readonly next: string;
  readonly attempts: string;
  readonly beingSent: string;
  readonly nextAttempt: string;
  readonly request: string;
  readonly retry: string;
  readonly retried: string;
  readonly retryPaused: string;
  readonly unknownDelivery: string;
  readonly deliveryStates: Readonly<Record<WebhookDelivery['state'], string>>;
  readonly outcomes: Readonly<Record<WebhookDelivery['attempts'][number]['outcome'], string>>;
}

export const logEn: LogTexts = {
  columns: { event: 'Event', state: 'State', response: 'Response', attempts: 'Attempts', happened: 'Happened' },
  log: 'Log of 30 days',
  anyState: 'Any',
  end: 'These are all.',
  logEmptyTitle: 'Nothing was sent yet',
  logEmpty: 'Send a test event to see how your receiver responds.',
  logEmptyFiltered: 'No delivery is in this state.',
  noResponse: 'no response',
  noResponseYet: 'not yet',
  drawer: (id) => `Delivery ${id}`,
  previous: 'Previous delivery (k)',
  next: 'Next delivery (j)',
  attempts: 'Attempts',
  beingSent: 'Being sent; the response appears here.',
  nextAttempt: 'Next attempt',
  request: 'Request',
  retry: 'Send again',
  retried: 'It is being sent again.',
  retryPaused: 'Resume the webhook first.',
  unknownDelivery: 'The log no longer has this delivery.',
  deliveryStates: {
    pending: 'Pending',
    delivered: 'Accepted',
    failed: 'Failed',
    skipped: 'Skipped',
  },
  outcomes: {
    delivered: 'Accepted',
    rejected: 'Rejected',
    unavailable: 'Not accepted',
    throttled: 'Not accepted: too many requests',
    refused: 'Switched off by the receiver',
    requeued: 'Sent again on request',
  },
};
