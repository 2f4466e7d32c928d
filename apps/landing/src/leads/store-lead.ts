import { isDatabaseUnavailable } from '@leadback/db';
import type { LeadToRecord } from '@leadback/core/leads/record';
import type { NewLead } from '@leadback/domain';
import type { BufferedLead } from '@leadback/domain/keys';
import type { LeadQueue } from '@leadback/server/broker';
import { inTime } from './disk.ts';
import type { DatabaseClock, DatabaseWatch } from './database-watch.ts';
import type { LeadSpool } from './spool.ts';

/** Where a lead was stored: in its table; in RabbitMQ or on disk until PostgreSQL is available; or nowhere. */
export const leadPlaces = ['recorded', 'at_broker', 'on_disk', 'lost'] as const;
export type LeadPlace = (typeof leadPlaces)[number];

export type StoreLead = (lead: NewLead) => Promise<LeadPlace>;

export interface StoreLeadOptions {
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
