import type { Accepted } from '@leadback/core/accepted';
import type { AccountMode } from '@leadback/domain';
import type { ApiContext } from './context.ts';

export interface AcceptedLog {
  readonly note: (accepted: Omit<Accepted, 'atMs'>) => void;
  /** The newest that were noted, in no order. */
  readonly all: () => readonly Accepted[];
}

// some minutes of an api at its limit, in some megabytes of memory
const keptMax = 100_000;

/** Remembers what this process accepted, so that it can be looked for after a failover. The newest replace the oldest. */
export const acceptedLog = (max = keptMax): AcceptedLog => {
  const kept: Accepted[] = [];
  let next = 0;
  return {
    note: (accepted) => {
      kept[next] = { ...accepted, atMs: Date.now() };
      next = (next + 1) % max;
    },
    all: () => [...kept],
  };
};

/** The same context, which notes what it registers. */
export const notingAccepted = (context: ApiContext, { note }: AcceptedLog): ApiContext => {
  const noteAs = (kind: Accepted['kind'], { accountId }: AccountMode, { id }: { readonly id: number }) =>
    note({ kind, accountId, id });
  const noteCreated = (
    kind: Accepted['kind'],
    mode: AccountMode,
    outcomes: Awaited<ReturnType<ApiContext['registerClients'] | ApiContext['registerConversions']>>,
  ) => {
    for (const one of outcomes) if (one.outcome === 'created') noteAs(kind, mode, one);
  };
  return {
    ...context,
    registerClient: async (mode, ...request) => {
      const client = await context.registerClient(mode, ...request);
      if (client.outcome === 'created') noteAs('client', mode, client);
      return client;
    },
    registerClients: async (mode, items, options, ...key) => {
      const outcomes = await context.registerClients(mode, items, options, ...key);
      if (!options.isDryRun) noteCreated('client', mode, outcomes);
      return outcomes;
    },
    registerConversion: async (mode, ...request) => {
      const conversion = await context.registerConversion(mode, ...request);
      noteAs('conversion', mode, conversion);
      return conversion;
    },
    registerConversions: async (mode, items, options) => {
      const outcomes = await context.registerConversions(mode, items, options);
      if (!options.isDryRun) noteCreated('conversion', mode, outcomes);
      return outcomes;
    },
    adjustConversion: async (mode, ...request) => {
      const adjustment = await context.adjustConversion(mode, ...request);
      noteAs('adjustment', mode, adjustment);
      return adjustment;
    },
  };
};
