import { randomUUID } from 'node:crypto';
import {
  type Database,
  forgetLandingInstance,
  isDatabaseUnavailable,
  isDataError,
  leadRecorder,
  noteLandingInstance,
} from '@leadback/db';
import { type Keys, type BufferedLead, bufferedLeadKeys } from '@leadback/domain';
import { type LeadQueue, openLeadQueue } from '@leadback/messaging';
import { repeat } from '@leadback/runtime';
import { continueTrace, markFailed } from '@leadback/tracing';
import type { LandingEvents } from '../events.ts';
import { databaseWatch } from './database-watch.ts';
import { type StoreLead, storeLead } from './store-lead.ts';
import { leadSpool } from './lead-spool.ts';

export interface LeadStore extends AsyncDisposable, Pick<LeadQueue, 'deadLeads'> {
  readonly keep: StoreLead;
  /** Whether the broker takes leads, as far as we know. */
  isBrokerUp(): boolean;
}

export interface LeadStoreOptions {
  readonly database: Database;
  readonly amqpUrl: string;
  readonly spoolFolder: string;
  readonly secretsKeys: Keys;
  readonly events: LandingEvents;
  /** Done twice a second while the database is there, with the time by its clock; throws where it is not. */
  readonly refresh: (now: Date) => Promise<void>;
  /** Whether requests come by way of a proxy although none is trusted; the database is told. */
  readonly isIgnoringProxy: () => boolean;
}

const replayEveryMs = 1_000;

/**
 * Keeps the leads of visitors, and writes those that had to wait once the database is back. Tells the database twice a
 * second whether any are waiting, so that the API does not take one of them for a lead that never was.
 */
export const leadStore = async (options: LeadStoreOptions): Promise<LeadStore> => {
  const { database, amqpUrl, spoolFolder, secretsKeys, events, refresh, isIgnoringProxy } = options;
  const { pool } = database;
  const instance = randomUUID();
  const keys = bufferedLeadKeys(secretsKeys);
  const record = leadRecorder(pool);

  const recordWaiting = async (lead: BufferedLead): Promise<boolean> => {
    const span = continueTrace(lead.traceParent, 'record waiting lead');
    try {
      return await record(lead);
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

  const spool = await leadSpool({ folder: spoolFolder, keys, onDamaged: events.spoolDamaged });
  const leadQueue = openLeadQueue({
    url: amqpUrl,
    keys,
    record: recordWaiting,
    onDead: events.leadDead,
    onPublished: events.leadPublished,
    onUp: events.brokerUp,
    onDown: events.brokerDown,
  });
  const isOnDisk = () => spool.holdsLeads().catch(() => true);
  const isBehind = async () => (await leadQueue.mayHoldLeads()) || (await isOnDisk());
  const note = (isWaiting: boolean, spoolId: string | null) =>
    noteLandingInstance(pool, { id: instance, isBehind: isWaiting, spool: spoolId, ignoresProxy: isIgnoringProxy() });
  const watch = databaseWatch({
    round: async () => {
      const isWaiting = await isBehind();
      events.leadsWaiting(isWaiting);
      await refresh(await note(isWaiting, spool.id));
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
      if (!watch.isUp()) return false;
      const leads = await spool.replay(recordWaiting);
      if (leads > 0) events.leadsReplayed(leads);
      return false;
    },
    onFailure: events.replayFailed,
  });
  return {
    keep: storeLead({ watch, record, leadQueue, spool, onFailure: events.leadRefused }),
    deadLeads: () => leadQueue.deadLeads(),
    isBrokerUp: () => leadQueue.isUp(),
    async [Symbol.asyncDispose]() {
      await watch[Symbol.asyncDispose]();
      await replay[Symbol.asyncDispose]();
      const left = (await isOnDisk()) ? spool.id : null;
      const told = (await isBehind()) ? note(true, left) : forgetLandingInstance(pool, instance);
      // where the database is away it will know by our silence
      await told.catch(() => {});
      await leadQueue[Symbol.asyncDispose]();
    },
  };
};
