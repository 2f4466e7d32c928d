import type { Task, UndeliveredGroup } from '../../../../src/contract/undelivered.ts';

export interface UndeliveredTexts {
  readonly title: string;
  readonly intro: string;
  readonly total: (deliveries: string) => string;
  readonly states: Readonly<Record<UndeliveredGroup['state'], string>>;
  readonly connectionStates: Readonly<Record<Exclude<UndeliveredGroup['connectionState'], 'active'>, string>>;
  readonly connection: (id: number) => string;
  readonly columns: Readonly<Record<'reason' | 'deliveries' | 'conversions' | 'money' | 'action', string>>;
  readonly otherReason: string;
  readonly platformWords: string;
  readonly showDeliveries: string;
  readonly retry: string;
  readonly retryAll: string;
  readonly mayNotRetry: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyAction: string;
  readonly waiting: string;
  readonly waitingText: (deliveries: string) => string;
  readonly partial: string;
  readonly orMore: (count: string) => string;
  readonly soFar: (done: string) => string;
  readonly dialogTitle: string;
  readonly everything: string;
  readonly since: (connection: number, delivery: number) => string;
  readonly dialogText: (deliveries: string, conversions: string) => string;
  readonly held: (deliveries: string) => string;
  readonly nothing: string;
  readonly nothingHeld: string;
  readonly confirm: (deliveries: string, money: string) => string;
  readonly started: string;
  readonly tasks: string;
  readonly taskStates: Readonly<Record<Task['state'], string>>;
  readonly progress: (done: string, total: string) => string;
  readonly by: (person: string) => string;
  readonly finished: (done: string) => string;
}

export const undeliveredEn: UndeliveredTexts = {
  title: 'Undelivered',
  intro: 'Deliveries that ended without success: what was lost, why, and how to send it again.',
  total: (deliveries) => `Not delivered: ${deliveries}`,
  states: { failed: 'Failed', skipped: 'Skipped', delivered: 'Problem reported later' },
  connectionStates: { paused: 'Connection paused', needs_attention: 'Connection needs attention' },
  connection: (id) => `connection ${id}`,
  columns: {
    reason: 'Reason',
    deliveries: 'Deliveries',
    conversions: 'Conversions',
    money: 'Amount',
    action: 'Action',
  },
  otherReason: 'Other reasons',
  platformWords: "In the platform's words",
  showDeliveries: 'Show deliveries',
  retry: 'Retry…',
  retryAll: 'Retry all…',
  mayNotRetry: 'Your role may read, but not retry. Ask an operator.',
  emptyTitle: 'Everything was delivered',
  empty:
    'No delivery of this account failed or was skipped. If one does, it appears here with its reason and its amount.',
  emptyAction: 'See all deliveries',
  waiting: 'Still in progress',
  waitingText: (deliveries) =>
    `${deliveries} pending: they are sent or retried automatically, you need not do anything.`,
  partial: 'at least',
  orMore: (count) => `${count} or more`,
  soFar: (done) => `${done} so far`,
  dialogTitle: 'Retry deliveries',
  everything: 'All that was not delivered',
  since: (connection, delivery) => `Connection ${connection}: all that was not delivered since delivery ${delivery}`,
  dialogText: (deliveries, conversions) =>
    `${deliveries} deliveries of ${conversions} conversions are sent to their platforms again. What was delivered in the meantime is left out.`,
  held: (deliveries) =>
    `${deliveries} more stay as they are: their connection is paused or needs attention. Resume it first.`,
  nothing: 'There is nothing to retry: it was delivered or retried in the meantime.',
  nothingHeld: 'Nothing can be sent while the connection is paused or needs attention. Resume it first.',
  confirm: (deliveries, money) => (money === '' ? `Retry ${deliveries}` : `Retry ${deliveries} · ${money}`),
  started: 'Retry started. You can leave this page.',
  tasks: 'Retries',
  taskStates: { running: 'Running', done: 'Done', failed: 'Failed' },
  progress: (done, total) => `${done} of ${total}`,
  by: (person) => `by ${person}`,
  finished: (done) => `Retry finished: ${done} deliveries are pending again.`,
};
