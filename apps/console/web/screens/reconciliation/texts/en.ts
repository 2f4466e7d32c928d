import type { Measure, ReconciliationItem, Replay } from '../../../../src/contract/reconciliations.ts';

export interface ReconciliationTexts {
  readonly title: string;
  readonly intro: string;
  readonly mayNot: string;
  readonly add: string;
  readonly period: string;
  readonly columns: string;
  readonly lists: string;
  readonly name: (id: number) => string;
  readonly list: Readonly<Record<'name' | 'state' | 'rows' | 'missing' | 'differs' | 'extra' | 'when', string>>;
  readonly states: Readonly<Record<ReconciliationItem['state'], string>>;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly comparing: (done: string, rows: string) => string;
  readonly found: string;
  readonly alike: string;
  readonly failed: string;
  readonly outcome: string;
  readonly count: string;
  readonly amount: string;
  readonly registeredAs: string;
  readonly outcomes: Readonly<Record<Measure, { readonly title: string; readonly meaning: string }>>;
  readonly row: {
    readonly reference: string;
    readonly place: (number: string) => string;
    readonly listed: string;
    readonly registered: string;
    readonly occurred: string;
    readonly detail: string;
  };
  readonly deliveries: string;
  readonly noRows: string;
  readonly download: string;
  readonly downloadAll: string;
  readonly replay: string;
  readonly dialogTitle: string;
  readonly trying: string;
  readonly confirm: (what: string) => string;
  readonly started: string;
  readonly wouldRegister: (rows: string) => string;
  readonly nothingToRegister: string;
  readonly registeredSince: (rows: string) => string;
  readonly notRegistered: (rows: string) => string;
  readonly withoutTime: (rows: string) => string;
  readonly replays: Readonly<Record<Replay['state'], (what: string) => string>>;
  readonly compareAgain: string;
}

export const reconciliationEn: ReconciliationTexts = {
  title: 'Reconciliation',
  intro: 'Compare your own list of sales with what is registered, and register what is missing.',
  mayNot: 'Your role may see comparisons, but not send lists. Ask an operator.',
  add: 'Compare a list',
  period: 'Period of the list (UTC)',
  columns:
    'Required columns: conversionExternalReference, amount, currency. To register what is missing: clientExternalReference or email, and occurredAt.',
  lists: 'Lists',
  name: (id) => `List ${id}`,
  list: {
    name: 'List',
    state: 'State',
    rows: 'Rows',
    missing: 'Missing',
    differs: 'Different',
    extra: 'Extra',
    when: 'Sent',
  },
  states: { pending: 'Waiting', running: 'Comparing', done: 'Done', failed: 'Failed' },
  emptyTitle: 'No lists yet',
  empty: 'Export your sales of last month with one line per sale, then choose the file above.',
  comparing: (done, rows) => `Comparing: ${done} of ${rows} rows`,
  found: 'Comparison',
  alike: 'Both sides have the same sales',
  failed: 'An internal error has stopped the work. What was done is kept. Send the list again.',
  outcome: 'Outcome',
  count: 'Rows',
  amount: 'Amount',
  registeredAs: 'registered:',
  outcomes: {
    missing: { title: 'Missing', meaning: 'In your list and not registered; the client is known.' },
    missingWithoutClient: {
      title: 'Missing, without a client',
      meaning: 'In your list and not registered; no client matches. Usual for buyers who did not come from an ad.',
    },
    extra: { title: 'Extra', meaning: 'Registered in this period and not in your list. Retract cancelled orders.' },
    amountDiffers: { title: 'Different amount', meaning: 'Registered with another amount than in your list.' },
    currencyDiffers: { title: 'Different currency', meaning: 'Registered with another currency than in your list.' },
    undelivered: { title: 'Not delivered', meaning: 'Alike on both sides, but a platform was not told.' },
    duplicateInList: { title: 'Twice in the list', meaning: 'An earlier row of your list has the same reference.' },
    refused: { title: 'Refused', meaning: 'A field of the row is invalid. Correct it, then send the list again.' },
    matched: { title: 'Alike', meaning: 'Registered as in your list.' },
  },
  row: {
    reference: 'Sale',
    place: (number) => `row ${number}`,
    listed: 'In the list',
    registered: 'Registered',
    occurred: 'Occurred',
    detail: 'Details',
  },
  deliveries: 'Deliveries',
  noRows: 'No row has this outcome.',
  download: 'Download these rows',
  downloadAll: 'Download all rows',
  replay: 'Register what is missing…',
  dialogTitle: 'Register missing sales',
  trying: 'Counting…',
  confirm: (what) => `Register ${what}`,
  started: 'Registration started. You can leave this page.',
  wouldRegister: (rows) =>
    `${rows} sales would be registered, each at the time that the list gives. Nothing is registered twice.`,
  nothingToRegister: 'Nothing can be registered: no row names a known client, or all were registered in the meantime.',
  registeredSince: (rows) => `${rows} were registered in the meantime.`,
  notRegistered: (rows) => `${rows} cannot be registered: their client is unknown or they differ. The rows say why.`,
  withoutTime: (rows) => `${rows} have no time in the list: they count as of now.`,
  replays: {
    running: (what) => `Registering: ${what} so far.`,
    done: (what) => `Registered from this list: ${what}.`,
    failed: (what) => `An internal error has stopped the registration after ${what}. Register again.`,
  },
  compareAgain: 'Send the list again to see the result.',
};
