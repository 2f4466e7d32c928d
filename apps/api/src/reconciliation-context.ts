import type { Contacts, Database } from '@leadback/db';
import {
  type ConversionRegistrarOptions,
  type ReconciliationCreator,
  type ReconciliationReader,
  type ReconciliationWorker,
  reconciliationCreator,
  reconciliationReader,
  reconciliationWorker,
  type ReplayStarter,
  replayStarter,
  type RowsFile,
  rowsFile,
  type RowsReader,
  rowsReader,
} from '@leadback/intake';
import type { ApiEvents } from './events.ts';

/** What the endpoints and jobs of reconciliations use. */
export interface ReconciliationContext {
  readonly create: ReconciliationCreator;
  readonly read: ReconciliationReader;
  readonly readRows: RowsReader;
  readonly rowsFile: RowsFile;
  readonly startReplay: ReplayStarter;
  /** Counts and announces what it registers. */
  readonly work: ReconciliationWorker;
}

export type ReconciliationEvents = Pick<
  ApiEvents,
  'conversionRegistered' | 'reconciliationDone' | 'reconciliationGivenUp'
>;

interface ReconciliationContextOptions {
  /** For the work on lists, so that requests that read wait for none of it. */
  readonly jobs: Database['pool'];
  readonly contacts: Contacts;
  readonly announce: ConversionRegistrarOptions['announce'];
  readonly events: ReconciliationEvents;
}

export const reconciliationContext = (
  pool: Database['pool'],
  { jobs, contacts, announce, events }: ReconciliationContextOptions,
): ReconciliationContext => {
  const work = reconciliationWorker(jobs, {
    contacts,
    onRegistered({ isTest }, { outcomes, parcels }) {
      for (const result of outcomes) {
        if (result.outcome === 'created') events.conversionRegistered({ currency: result.currency, isTest });
      }
      if (parcels.length > 0) announce(parcels);
    },
  });
  return {
    create: reconciliationCreator(pool, contacts),
    read: reconciliationReader(pool),
    readRows: rowsReader(pool, contacts),
    rowsFile: rowsFile(pool, contacts),
    startReplay: replayStarter(pool),
    async work(id) {
      const slice = await work(id);
      if (slice?.isDone === true) {
        if (slice.error === undefined) events.reconciliationDone(slice);
        else events.reconciliationGivenUp(slice);
      }
      return slice;
    },
  };
};
