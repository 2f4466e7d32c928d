import type { AccountMode } from '@leadback/domain';
import type { Accepted } from '@leadback/intake';
import type { ApiContext } from '../context.ts';
import type { AcceptedLog } from './accepted-log.ts';

/** The same context, which notes what it registers. */
export const notingAccepted = (context: ApiContext, { note }: AcceptedLog): ApiContext => {
  const noteAs = (kind: Accepted['kind'], { accountId }: AccountMode, { id }: { readonly id: number }) =>
    note({ kind, accountId, id });
  return {
    ...context,
    registerClient: async (mode, ...request) => {
      const client = await context.registerClient(mode, ...request);
      if (client.outcome === 'created') noteAs('client', mode, client);
      return client;
    },
    registerClients: async (mode, items, options, ...key) => {
      const outcomes = await context.registerClients(mode, items, options, ...key);
      if (options.isDryRun) return outcomes;
      for (const one of outcomes) if (one.outcome === 'created') noteAs('client', mode, one);
      return outcomes;
    },
    registerConversion: async (mode, ...request) => {
      const conversion = await context.registerConversion(mode, ...request);
      noteAs('conversion', mode, conversion);
      return conversion;
    },
    registerConversions: async (mode, items, options) => {
      const outcomes = await context.registerConversions(mode, items, options);
      if (options.isDryRun) return outcomes;
      for (const one of outcomes) if (one.outcome === 'created') noteAs('conversion', mode, one);
      return outcomes;
    },
    adjustConversion: async (mode, ...request) => {
      const adjustment = await context.adjustConversion(mode, ...request);
      noteAs('adjustment', mode, adjustment);
      return adjustment;
    },
  };
};
