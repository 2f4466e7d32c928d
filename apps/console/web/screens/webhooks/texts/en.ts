import type { Webhook } from '../../../../src/contract/webhooks.ts';

export interface WebhooksTexts {
  readonly title: string;
  readonly intro: string;
  readonly webhook: (id: string) => string;
  readonly url: string;
  readonly urlHint: string;
  readonly mode: string;
  readonly liveMode: string;
  readonly testMode: string;
  readonly events: string;
  readonly noEvents: string;
  readonly allEvents: string;
  readonly someEvents: (count: number, all: number) => string;
  readonly never: string;
  readonly add: string;
  readonly addAction: string;
  readonly added: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyForReaders: string;
  readonly secret: string;
  readonly secretText: string;
  readonly stored: string;
  readonly rotate: string;
  readonly rotateText: string;
  readonly rotateAction: string;
  readonly rotated: string;
  readonly rotatedUntil: (time: string) => string;
  readonly more: string;
  readonly test: string;
  readonly edit: string;
  readonly editAction: string;
  readonly save: string;
  readonly changed: string;
  readonly pause: string;
  readonly pauseDone: string;
  readonly resume: string;
  readonly resumed: string;
  readonly pausedByPerson: string;
  readonly pausedOther: (reason: string) => string;
  readonly pausedMeans: string;
  readonly delete: string;
  readonly deleteAction: string;
  readonly deleteText: string;
  readonly deleted: string;
  readonly states: Readonly<Record<'active' | 'unverified' | 'paused' | 'gone' | 'failing', string>>;
  readonly pauses: Readonly<Partial<Record<string, string>>>;
  readonly columns: Readonly<Record<'url' | 'state' | 'events' | 'accepted' | 'created', string>>;
  readonly topics: Readonly<Record<Webhook['events'][number], string>>;
}

export const webhooksEn: WebhooksTexts = {
  title: 'Webhooks',
  intro: 'Your backend learns what happened to each sale: signed HTTPS requests to your own URL.',
  webhook: (id) => `Webhook ${id}`,
  url: 'URL',
  urlHint:
    'https on port 443 or 8443, with a public host, without user name or password. Redirects are not followed. It must answer a signed test with 2xx before it gets events.',
  mode: 'Told of',
  liveMode: 'Live events',
  testMode: 'Tests',
  events: 'Events',
  noEvents: 'Choose one event or more.',
  allEvents: 'all',
  someEvents: (count, all) => `${count} of ${all}`,
  never: 'never',
  add: 'Add webhook',
  addAction: 'Add',
  added: 'Webhook added',
  emptyTitle: 'No webhooks',
  empty:
    'Add a URL of your backend, and Leadback tells it of failed deliveries, broken connections and finished imports.',
  emptyForReaders: 'A partner administrator or an operator can add one.',
  secret: 'Secret',
  secretText:
    'Copy the secret now, and store it where your receiver reads it: it is not shown again. It signs each request.',
  stored: 'I have stored it',
  rotate: 'New secret',
  rotateText:
    'For 24 hours, each request is signed with the new and with the old secret. Store the new one in your receiver within this time: no request is lost.',
  rotateAction: 'Make a new secret',
  rotated: 'New secret made',
  rotatedUntil: (time) => `The old secret signs as well until ${time}.`,
  more: 'More',
  test: 'Send test event',
  edit: 'Edit webhook',
  editAction: 'Edit',
  save: 'Save',
  changed: 'Saved.',
  pause: 'Pause',
  pauseDone: 'Paused. New events are not told.',
  resume: 'Resume',
  resumed: 'Active again. What waited is being sent.',
  pausedByPerson: 'This webhook was paused by a person.',
  pausedOther: (reason) => `Leadback has paused this webhook: ${reason}`,
  pausedMeans: 'New events are not told. Deliveries that wait are sent when it is active again, up to 30 days old.',
  delete: 'Delete',
  deleteAction: 'Delete webhook',
  deleteText:
    'Its URL and secret are deleted, its log is no longer shown, and deliveries that wait are never sent. This cannot be undone.',
  deleted: 'Webhook deleted.',
  states: {
    active: 'Active',
    unverified: 'Not verified',
    paused: 'Paused',
    gone: 'Switched off',
    failing: 'Failing',
  },
  pauses: {
    gone: 'Your receiver responded with 410 Gone, so the webhook was switched off.',
    failing: 'Your receiver has accepted nothing for three days, so the webhook was paused.',
  },
  columns: {
    url: 'URL',
    state: 'State',
    events: 'Events',
    accepted: 'Last accepted',
    created: 'Added',
  },
  topics: {
    'feedback.delivered': 'A platform accepted an event',
    'feedback.failed': 'A platform rejected an event, or was unavailable for three days',
    'feedback.skipped': 'There was nothing to send to a platform',
    'connection.needs_attention': 'A platform rejects a connection: sales wait',
    'connection.recovered': 'The connection works again',
    'import.finished': 'Each row of an import has an outcome',
    'reconciliation.finished': 'Each row of a list was compared',
    'page.target_changed': 'Clicks of a page go to another host',
  },
};
