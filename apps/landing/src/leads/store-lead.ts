import { isDatabaseUnavailable, type LeadToRecord } from '@leadback/db';
import type { NewLead, BufferedLead } from '@leadback/domain';
import type { LeadQueue } from '@leadback/messaging';
import type { DatabaseWatch } from './database-watch.ts';
import type { LeadSpool } from './lead-spool.ts';

/** Where a lead is kept: in its table; at the broker or on disk until the database is back; or nowhere. */
export const leadPlaces = ['recorded', 'at_broker', 'on_disk', 'lost'] as const;
export type LeadPlace = (typeof leadPlaces)[number];

export type StoreLead = (lead: NewLead) => Promise<LeadPlace>;

export interface StoreLeadOptions {
  readonly watch: Pick<DatabaseWatch, 'isUp' | 'lost'>;
  readonly record: (lead: LeadToRecord) => Promise<unknown>;
  readonly leadQueue: Pick<LeadQueue, 'enqueue'>;
  readonly spool: Pick<LeadSpool, 'add'>;
  /** It could not be kept where it should have been; the next place is tried. */
  readonly onFailure: (error: unknown) => void;
}

// a visitor is waiting; what the database does later than that comes to the same, because a lead is recorded once
const recordMaxMs = 1_000;

/**
 * Gives a function that keeps the lead of a visitor who is waiting, in the first of three places that takes it. Never
 * throws: the visitor goes on whatever happens.
 */
export const storeLead = ({ watch, record, leadQueue, spool, onFailure }: StoreLeadOptions): StoreLead => {
  const isRecorded = async (lead: NewLead): Promise<boolean> => {
    if (!watch.isUp()) return false;
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), recordMaxMs);
    try {
      const isInTime = await Promise.race([record(lead).then(() => true), late.promise]);
      if (!isInTime) watch.lost(new Error('the database took longer than a visitor can wait'));
      return isInTime;
    } catch (error) {
      if (isDatabaseUnavailable(error)) watch.lost(error);
      else onFailure(error);
      return false;
    } finally {
      clearTimeout(timer);
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
    const waiting = { ...lead, visitedAt: new Date().toISOString() };
    if (await leadQueue.enqueue(waiting)) return 'at_broker';
    return (await isSpooled(waiting)) ? 'on_disk' : 'lost';
  };
};
