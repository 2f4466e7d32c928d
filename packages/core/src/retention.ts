import { statement, type Queryable } from '@leadback/db';

/** What expires, in the order in which it is deleted, and under which names it is counted. */
export const expiringSubjects = {
  platform_request: { period: 'attempts', counts: ['platformRequestsDeleted'] },
  delivery: { period: 'leads', counts: ['deliveriesDeleted'] },
  lead: { period: 'leads', counts: ['leadsDeleted', 'leadsStripped'] },
  webhook_event: { period: 'webhooks', counts: ['webhookEventsDeleted'] },
  consent_withdrawal: { period: 'leads', counts: ['withdrawalsDeleted'] },
  import: { period: 'imports', counts: ['importsDeleted'] },
  reconciliation: { period: 'imports', counts: ['reconciliationsDeleted'] },
  account_metric: { period: 'campaigns', counts: ['campaignDaysTrimmed'] },
} as const;
export type ExpiringSubject = keyof typeof expiringSubjects;

const isSubject = (name: string): name is ExpiringSubject => Object.hasOwn(expiringSubjects, name);

/** After this subject comes the next one; undefined: it was the last. */
export const subjectAfter = (subject: ExpiringSubject | undefined): ExpiringSubject | undefined => {
  const subjects = Object.keys(expiringSubjects).filter(isSubject);
  return subjects[subject === undefined ? 0 : subjects.indexOf(subject) + 1];
};

export type Counts = Readonly<Record<string, number>>;

export const addCounts = (to: Counts, more: Counts): Counts => {
  const sums: Record<string, number> = { ...to };
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

/** One batch. `next_cursor`: null if there is no more. */
interface Batch {
  readonly next_cursor: string | null;
  readonly changed: Counts;
}

const onlyRow = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('the function returned no row');
  return row;
};

const trim = statement<Batch>('select next_cursor, changed from trim_expired($1, $2, $3, $4)');

interface Trimming {
  readonly days: number;
  readonly cursor: string | null;
  readonly onlyCounts: boolean;
}

/** Deletes, or only counts, one batch of what is older than so many days. Needs the owner of the tables to delete. */
export const trimExpired = async (
  on: Queryable,
  subject: ExpiringSubject,
  { days, cursor, onlyCounts }: Trimming,
): Promise<Batch> => onlyRow(await trim(on, [subject, days, cursor, onlyCounts]));

const applyPeriods = statement<Batch>('select next_cursor, changed from apply_retention($1, $2)');

/** Deletes one batch of what is older than the installation's period for it, if it has one. */
export const trimByPeriods = async (on: Queryable, subject: ExpiringSubject, cursor: string | null): Promise<Batch> =>
  onlyRow(await applyPeriods(on, [subject, cursor]));

/** One step of a change; `act` is null if there is nothing to do. */
interface PartitionChange {
  readonly act: 'prepare' | 'adopt' | 'make' | 'drop' | null;
  readonly partition: string | null;
}

const changeNext = statement<PartitionChange>('select act, partition from change_attempt_partitions($1)');

/** Makes or drops one partition of attempts. Needs the owner of the tables; waits 0.2 s for a lock, then throws. */
export const changeAttemptPartitions = async (on: Queryable, days: number | undefined): Promise<PartitionChange> =>
  onlyRow(await changeNext(on, [days ?? null]));

const keepNext = statement<PartitionChange>('select act, partition from keep_attempt_partitions()');

/** The same with the installation's period of attempts, for the api. */
export const keepAttemptPartitions = async (on: Queryable): Promise<PartitionChange> => onlyRow(await keepNext(on, []));

/** Partitions that were made and dropped. */
export interface KeptPartitions {
  readonly made: readonly string[];
  readonly dropped: readonly string[];
}

export const withChange = ({ made, dropped }: KeptPartitions, { act, partition }: PartitionChange): KeptPartitions => ({
  made: partition !== null && (act === 'make' || act === 'adopt') ? [...made, partition] : made,
  dropped: partition !== null && act === 'drop' ? [...dropped, partition] : dropped,
});

const plan = statement<PartitionChange>('select act, partition from attempt_partition_plan($1)');

/** What `changeAttemptPartitions` would do. Changes nothing. */
export const planOfAttemptPartitions = async (on: Queryable, days: number | undefined): Promise<KeptPartitions> =>
  (await plan(on, [days ?? null])).reduce(withChange, { made: [], dropped: [] });
