import type { AccountId, ErasureAsker } from '@leadback/domain';
import type { KeptThing, Receipt } from './ask/receipt.ts';
import type { ErasedPerson } from './ask/subject.ts';
import type { Kept as KeptRows } from './count-kept.ts';
import { isAnyoneErased } from './erase-person.ts';
import type { ToldPlatform } from './find-told-platforms.ts';

const dayMs = 86_400_000;

export interface ErasureFacts {
  readonly id: string;
  readonly installation: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly isTest: boolean;
  readonly requestedAt: Date;
  readonly finishedAt: Date;
  readonly backupsKeptDays: number;
}

/** What was erased, what is kept, and what platforms were told. */
export interface ErasureResult extends ErasedPerson, KeptRows {
  readonly platformsTold: readonly ToldPlatform[];
}

type Kept = Receipt['kept'][number];

const reasons: Readonly<Record<KeptThing, string>> = {
  clients:
    'several clients were registered from this lead, who may be several persons: the account is asked whom of them to erase',
  conversions: 'records of sales: amount, currency, time and order number; they name the erased client no more',
  leads: 'page, campaign (utm), consent and time of the visit, under which sales are counted, and the lead reference',
  deliveries: 'which platform was told of which sale, when, and with which outcome; what it responded is erased',
  webhookLog:
    'what was sent to webhooks of the account (ids and states), and what its own servers responded; deleted as its operator sets',
  metrics: 'sums by day, page and campaign',
  recognition:
    'keyed hashes of emails, phone numbers and leads, which tell only whether a late visit or a new client is the erased person',
  idempotencyKeys:
    'chosen by the programs of the account; a repeated request registers nobody again; deleted within 24 hours',
  auditLog: 'that an erasure took place, when, and who asked for it; not whom it was about',
};

const counted = (what: KeptThing, count: number): Kept[] => (count > 0 ? [{ what, count, why: reasons[what] }] : []);
const plain = (what: KeptThing, isKept: boolean): Kept[] => (isKept ? [{ what, why: reasons[what] }] : []);

const keptOf = (
  {
    clientIds: { length: clients },
    leads,
    leavesClients = false,
    conversions,
    platformsTold,
    pendingFeedback,
  }: ErasureResult,
  { isTest }: ErasureFacts,
): Kept[] => [
  ...plain('clients', leavesClients),
  ...counted('conversions', conversions),
  ...counted('leads', leads),
  ...plain('deliveries', platformsTold.length > 0 || pendingFeedback > 0),
  ...plain('webhookLog', clients > 0),
  ...plain('metrics', clients + leads > 0),
  ...plain('recognition', !isTest),
  ...plain('idempotencyKeys', clients > 0),
  ...plain('auditLog', true),
];

const notReachedOf = (erased: ErasureResult, { finishedAt, backupsKeptDays }: ErasureFacts): Receipt['notReached'] => {
  if (!isAnyoneErased(erased)) return [];
  const until = new Date(finishedAt.getTime() + backupsKeptDays * dayMs).toISOString().slice(0, 10);
  const backups = { what: 'backups' as const, until, why: 'they cannot be changed; they are deleted by this day' };
  const why = 'they keep what they were told: the account asks each of them to erase it';
  return erased.platformsTold.length > 0 ? [backups, { what: 'platforms', why }] : [backups];
};

/** The receipt of an erasure. */
export const makeReceipt = (erased: ErasureResult, facts: ErasureFacts): Receipt => ({
  version: 1,
  id: facts.id,
  installation: facts.installation,
  accountId: facts.accountId,
  askedBy: facts.askedBy,
  isTest: facts.isTest,
  requestedAt: facts.requestedAt.toISOString(),
  finishedAt: facts.finishedAt.toISOString(),
  erased: {
    clients: erased.clientIds.length,
    leads: erased.leads,
    importedRows: erased.importedRows,
    listedRows: erased.listedRows,
  },
  kept: keptOf(erased, facts),
  platformsTold: erased.platformsTold.map(({ lastAt, ...told }) => ({ ...told, lastAt: lastAt.toISOString() })),
  pendingSkipped: erased.pendingFeedback,
  notReached: notReachedOf(erased, facts),
});
