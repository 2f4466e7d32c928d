import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unique } from '@leadback/testing';
import { z } from 'zod';
import type { Entry } from './ledger.ts';

/** One adjustment that a partner requested until it was done. */
export interface AdjustmentEntry {
  readonly conversionId: number;
  readonly reference: string;
  /** Undefined: it retracts the conversion. */
  readonly amount: number | undefined;
  readonly statuses: number[];
  /** Whether it is registered, as far as the partner knows. */
  isDone: boolean;
}

const bodySchema = z.object({ message: z.string() });

/** Requests adjustments of conversions until it is stopped, like partners that retry each until they know that it is done. */
export const adjustUnderLoad = (conversions: readonly Entry[], callersMax = 3) => {
  const entries: AdjustmentEntry[] = [];
  const enough = new AbortController();

  const ask = async ({ partner }: Entry, entry: AdjustmentEntry): Promise<void> => {
    const { conversionId, reference: adjustmentExternalReference, amount } = entry;
    const body = {
      conversionId,
      adjustmentExternalReference,
      kind: amount === undefined ? 'retract' : 'restate',
      amount,
    };
    while (!entry.isDone) {
      const reply = await partner
        .post('/client/conversion/adjustment', body, { timeoutMs: 5_000 })
        .catch(() => undefined);
      if (reply === undefined || reply.status >= 500) {
        if (enough.signal.aborted && entry.statuses.length > 200) throw new Error('the api is not up again');
        await pause(50);
        continue;
      }
      entry.statuses.push(reply.status);
      const { message = '' } = bodySchema.partial().parse(reply.body);
      // a conversion that is retracted takes no more
      if (reply.status === 400 && message.startsWith('conversionId: ')) return;
      entry.isDone = reply.status === 201 || message.startsWith('adjustmentExternalReference: ');
      if (!entry.isDone) throw new Error(`${reply.status}: ${message}`);
    }
  };
  const callers = Array.from({ length: callersMax }, async () => {
    while (!enough.signal.aborted) {
      const conversion = conversions[randomInt(conversions.length)];
      const [conversionId] = conversion?.ids ?? [];
      if (conversion === undefined || conversionId === undefined) throw new Error('there is nothing to adjust');
      const amount = randomInt(20) === 0 ? undefined : randomInt(2_000) / 100;
      const entry: AdjustmentEntry = { conversionId, reference: unique('note'), amount, statuses: [], isDone: false };
      entries.push(entry);
      await ask(conversion, entry);
      await pause(100);
    }
  });
  return {
    /** Returns all that were requested; those in progress are finished first. */
    async stop(): Promise<readonly AdjustmentEntry[]> {
      enough.abort();
      await Promise.all(callers);
      return entries;
    },
  };
};
