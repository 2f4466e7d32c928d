import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Facts } from '../../../tests/support/oracle.ts';
import { click, type LoadedPartner, post } from './partner.ts';

type Entry = Facts['entries'][number] & { readonly statuses: (number | undefined)[]; readonly ids: number[] };

export interface Sent {
  /** All conversions that were requested, with all responses. */
  readonly entries: readonly Entry[];
  /** The lead references with which visitors were redirected. */
  readonly leads: readonly string[];
  /** Clicks without a response. */
  readonly clicksLost: number;
}

export interface SteadyLoad {
  readonly soFar: () => {
    readonly accepted: number;
    readonly requested: number;
    readonly leads: number;
    /** Conversions and clicks without a response, or with another one than was wanted. */
    readonly failed: number;
  };
  /** Ends the load and retries requests without a response that have an idempotency key, until each has one. */
  readonly stop: () => Promise<Sent>;
}

const callers = 8;
/** Half of the requests have idempotency keys. */
const isKeyed = (index: number) => index % 2 === 0;
const repeatMaxMs = 60_000;

/** Sends conversions and clicks until it is stopped, each about `perSecond` times a second. */
export const steadyLoad = (
  partner: LoadedPartner,
  connections: readonly number[],
  { perSecond = 40, clicksPerSecond = 10 } = {},
): SteadyLoad => {
  const [entries, leads, stopping]: [Entry[], string[], AbortController] = [[], [], new AbortController()];
  const run = randomBytes(4).toString('hex');
  let [clicksLost, refused] = [0, 0];
  const isRunning = () => !stopping.signal.aborted;

  const ask = async (entry: Entry, hasKey: boolean): Promise<void> => {
    const names = { clientExternalReference: partner.clientReference, conversionExternalReference: entry.reference };
    const body = { ...names, amount: 10, currency: 'USD' };
    const { status, id } = await post(partner.apiKey, '/client/conversion', body, hasKey ? entry.reference : undefined);
    entry.statuses.push(status);
    if (status === 201 && id !== undefined) entry.ids.push(id);
    else refused += 1;
  };
  const convert = async (): Promise<void> => {
    while (isRunning()) {
      const index = entries.length;
      const entry = { reference: `order-${run}-${index}`, connections, statuses: [], ids: [] };
      entries.push(entry);
      await ask(entry, isKeyed(index));
      await pause((1_000 * callers) / perSecond);
    }
  };
  const visit = async (): Promise<void> => {
    while (isRunning()) {
      const lead = await click(partner.directPage);
      if (lead === undefined) clicksLost += 1;
      else leads.push(lead);
      await pause(1_000 / clicksPerSecond);
    }
  };
  const running = Promise.all([visit(), ...Array.from({ length: callers }, convert)]);

  return {
    soFar: () => ({
      accepted: entries.filter(({ ids }) => ids.length > 0).length,
      requested: entries.length,
      leads: leads.length,
      failed: clicksLost + refused,
    }),
    stop: async () => {
      stopping.abort();
      await running;
      const end = Date.now() + repeatMaxMs;
      for (const [index, entry] of entries.entries()) {
        while (isKeyed(index) && entry.ids.length === 0 && Date.now() < end) {
          await ask(entry, true);
          if (entry.ids.length === 0) await pause(250);
        }
      }
      return { entries, leads, clicksLost };
    },
  };
};
