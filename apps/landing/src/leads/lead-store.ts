import { randomUUID } from 'node:crypto';
import { type Database, isDatabaseUnavailable, isDataError, contactCipher } from '@leadback/db';
import { bufferedLeadRecorder, leadRecorder, type LeadToRecord } from '@leadback/core/leads/record';
import { forgetLandingInstance, noteLandingInstance } from '@leadback/core/leads/landing-instances';
import type { NewLead } from '@leadback/domain';
import { type BufferedLead, bufferedLeadKeys, type SecretsKeys } from '@leadback/domain/keys';
import { type LeadQueue, openLeadQueue } from '@leadback/server/broker';
import { repeat } from '@leadback/server/app';
import { continueTrace, markFailed } from '@leadback/server/trace';
import { type Disk, inTime } from './disk.ts';
import type { LandingEvents, LeadPlace } from '../events.ts';
import { deleteExpiredDamagedFiles, type LeadSpool, leadSpool } from './spool.ts';

/** Tells whether PostgreSQL is available, so that no visitor waits for a timeout. */
interface DatabaseWatch extends AsyncDisposable {
  isUp(): boolean;
  /** Reports a failure: PostgreSQL counts as unavailable until the next round succeeds. */
  lost(reason: unknown): void;
}

interface WatchOptions {
  /** Runs twice a second. Must throw if PostgreSQL is unavailable. */
  readonly round: () => Promise<void>;
  readonly onUp: () => void;
  readonly onDown: (reason: unknown) => void;
}

const watchEveryMs = 500;

/** PostgreSQL counts as available from a successful round until a failed one or a call of `lost`. */
const databaseWatch = ({ round, onUp, onDown }: WatchOptions): DatabaseWatch => {
  // unknown at first
  let isUp: boolean | undefined;

  const lost = (reason: unknown): void => {
    if (isUp !== false) onDown(reason);
    isUp = false;
  };
  const running = repeat({
    everyMs: watchEveryMs,
    round: async () => {
      await round();
      if (!isUp) onUp();
      isUp = true;
      return false;
    },
    onFailure: lost,
  });

  return { isUp: () => isUp === true, lost, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
};

/** PostgreSQL's clock, also while PostgreSQL is unavailable: the clock of this machine, corrected. */
export interface DatabaseClock {
  /** In milliseconds since 1970. Before the first correction, the time of this machine. */
  readonly nowMs: () => number;
  /** Makes a request that returns PostgreSQL's time, and corrects the clock by it. */
  readonly correctBy: (readTime: () => Promise<Date>) => Promise<Date>;
}

/**
 * PostgreSQL has read its clock between request and response, so this one is exact to the time that they take. It is
 * corrected no further than that: that of a machine with the right time, not at all.
 */
export const databaseClock = (): DatabaseClock => {
  let aheadMs = 0;
  return {
    nowMs: () => Date.now() + aheadMs,
    async correctBy(readTime) {
      const sentMs = Date.now();
      const time = await readTime();
      const receivedMs = Date.now();
      aheadMs = Math.min(Math.max(aheadMs, time.getTime() - receivedMs), time.getTime() - sentMs);
      return time;
    },
  };
};

export type StoreLead = (lead: NewLead) => Promise<LeadPlace>;

interface StoreLeadOptions {
  readonly watch: Pick<DatabaseWatch, 'isUp' | 'lost'>;
  readonly record: (lead: LeadToRecord) => Promise<true>;
  readonly leadQueue: Pick<LeadQueue, 'enqueue'>;
  readonly spool: Pick<LeadSpool, 'add'>;
  readonly nowMs: DatabaseClock['nowMs'];
  /** Storing failed in one place, or too many leads wait for PostgreSQL; the next place is tried. */
  readonly onFailure: (error: unknown) => void;
}

// a visitor is waiting; if PostgreSQL records the lead later, that is harmless: a lead is recorded once
const recordMaxMs = 1_000;

/**
 * Returns a function that stores a lead in the first of three places that accepts it. Never throws: the visitor is
 * redirected in any case.
 */
export const storeLead = ({ watch, record, leadQueue, spool, nowMs, onFailure }: StoreLeadOptions): StoreLead => {
  const isRecorded = async (lead: NewLead): Promise<boolean> => {
    if (!watch.isUp()) return false;
    try {
      const isInTime = (await inTime(record(lead), recordMaxMs)) ?? false;
      if (!isInTime) watch.lost(new Error(`PostgreSQL did not record the lead within ${recordMaxMs} ms`));
      return isInTime;
    } catch (error) {
      if (isDatabaseUnavailable(error)) watch.lost(error);
      else onFailure(error);
      return false;
    }
  };

  const isSpooled = async (lead: BufferedLead): Promise<boolean> => {
    try {
      return await spool.add(lead);
    } catch (error) {
      onFailure(error);
      return false;
    }
  };

  return async (lead) => {
    if (await isRecorded(lead)) return 'recorded';
    const waiting = { ...lead, visitedAt: new Date(nowMs()).toISOString() };
    if (await leadQueue.enqueue(waiting)) return 'at_broker';
    return (await isSpooled(waiting)) ? 'on_disk' : 'lost';
  };
};

export interface LeadStore extends AsyncDisposable, Pick<LeadQueue, 'deadLeads'> {
  readonly store: StoreLead;
  /** Whether RabbitMQ accepts leads, as far as this app knows. */
  isBrokerUp(): boolean;
  /** What buffered leads take on disk, as far as this app knows. */
  readonly spoolBytes: () => number;
}

export interface LeadStoreOptions {
  readonly database: Database;
  readonly amqpUrl: string;
  readonly spoolFolder: string;
  readonly disk: Disk;
  /** No lead is added to a spool folder of this size. */
  readonly spoolBytesMax: number;
  readonly secretsKeys: SecretsKeys;
  readonly events: LandingEvents;
  /** Corrected twice a second while PostgreSQL is available. */
  readonly clock: DatabaseClock;
  /** Runs twice a second while PostgreSQL is available, with the time of its clock. Must throw if it is not. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Whether requests arrive through a proxy although none is trusted; saved with the state of this instance. */
  readonly isIgnoringProxy: () => boolean;
  /** Whether most of them arrive through one that ends TLS. */
  readonly isMissingTls: () => boolean;
}

const replayEveryMs = 1_000;
const measureEveryMs = 60_000;

/**
 * Stores the leads of visitors, and records buffered leads once PostgreSQL is available. Saves twice a second whether
 * any lead is buffered, so that the API does not answer 404 for a buffered lead.
 */
export const leadStore = async (options: LeadStoreOptions): Promise<LeadStore> => {
  const {
    database,
    amqpUrl,
    spoolFolder,
    disk,
    spoolBytesMax,
    secretsKeys,
    events,
    clock,
    refresh,
    isIgnoringProxy,
    isMissingTls,
  } = options;
  const { pool } = database;
  const instance = randomUUID();
  const keys = bufferedLeadKeys(secretsKeys);
  const contacts = contactCipher(secretsKeys);
  const recordLate = bufferedLeadRecorder(pool, contacts);

  const recordBuffered = async (lead: BufferedLead): Promise<boolean> => {
    const span = continueTrace(lead.traceParent, 'record buffered lead');
    try {
      return await recordLate(lead);
    } catch (error) {
      markFailed(span, 'not_recorded');
      if (isDatabaseUnavailable(error)) watch.lost(error);
      else events.leadNotRecordable(error);
      if (isDataError(error)) return false;
      throw error;
    } finally {
      span.end();
    }
  };

  const spool = await leadSpool({
    folder: spoolFolder,
    disk,
    bytesMax: spoolBytesMax,
    keys,
    onDamaged: events.spoolDamaged,
    onHanging: events.diskHangs,
    onFull: (leads) => events.leadBufferFull('disk', leads),
  });
  const leadQueue = openLeadQueue({
    url: amqpUrl,
    keys,
    record: recordBuffered,
    onDead: events.leadDead,
    onPublished: events.leadPublished,
    onFull: () => events.leadBufferFull('queue', 1),
    onUp: events.brokerUp,
    onDown: events.brokerDown,
  });
  const isOnDisk = () => spool.holdsLeads().catch(() => true);
  const holdsLeads = async () => (await leadQueue.mayHoldLeads()) || (await isOnDisk());
  const saveState = (hasBuffered: boolean, spoolId: string | null) =>
    noteLandingInstance(pool, {
      id: instance,
      isBehind: hasBuffered,
      spool: spoolId,
      ignoresProxy: isIgnoringProxy(),
      missesTls: isMissingTls(),
    });
  const watch = databaseWatch({
    round: async () => {
      const hasBuffered = await holdsLeads();
      events.leadsBuffered(hasBuffered);
      await refresh(await clock.correctBy(() => saveState(hasBuffered, spool.id)));
    },
    onUp: () => {
      leadQueue.setConsuming(true);
      events.databaseUp();
    },
    onDown: (reason) => {
      leadQueue.setConsuming(false);
      events.databaseDown(reason);
    },
  });
  const replay = repeat({
    everyMs: replayEveryMs,
    round: async () => {
      try {
        const leads = watch.isUp() ? await spool.replay(recordBuffered) : 0;
        if (leads > 0) events.leadsReplayed(leads);
      } finally {
        // a round that fails in the end has made room as well, also if PostgreSQL is gone again
        if (spool.isOutdated()) await spool.measure();
      }
      return false;
    },
    onFailure: events.replayFailed,
  });
  const measuring = repeat({
    everyMs: measureEveryMs,
    round: async () => {
      await spool.measure();
      const expired = await deleteExpiredDamagedFiles(spoolFolder, disk);
      if (expired > 0) events.damagedFilesDeleted(expired);
      return false;
    },
    onFailure: events.diskHangs,
  });
  return {
    store: storeLead({
      watch,
      record: leadRecorder(pool, contacts),
      leadQueue,
      spool,
      nowMs: clock.nowMs,
      onFailure: events.leadRefused,
    }),
    deadLeads: () => leadQueue.deadLeads(),
    spoolBytes: spool.bytes,
    isBrokerUp: () => leadQueue.isUp(),
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]();
      await replay[Symbol.asyncDispose]();
      await measuring[Symbol.asyncDispose]();
      const left = (await isOnDisk()) ? spool.id : null;
      const saved = (await holdsLeads()) ? saveState(true, left) : forgetLandingInstance(pool, instance);
      // if PostgreSQL is unavailable, the missing updates tell the API that this instance stopped
      await saved.catch(() => {});
      await leadQueue[Symbol.asyncDispose]();
    },
  };
};
