import { z } from 'zod';
import type { Entry } from './ledger.ts';

const replySchema = z.object({
  results: z.array(z.object({ outcome: z.enum(['created', 'repeated']), id: z.number() })),
  counts: z.object({ created: z.number(), repeated: z.number(), differs: z.literal(0), refused: z.literal(0) }),
});

/**
 * Sends entries of one partner as a batch, and records the responses. Returns the counts of outcomes, or undefined if
 * there was no response.
 */
export const sendBatch = async (entries: readonly Entry[]) => {
  const items = entries.map(({ conversion }) => conversion);
  const reply = await entries[0]?.partner.post('/client/conversion/batch', { items }).catch(() => undefined);
  const body = reply && replySchema.parse(reply.body);
  for (const [index, { statuses, ids }] of entries.entries()) {
    const result = body?.results[index];
    // what was registered by a batch without a response is `repeated`
    statuses.push(result && 201);
    if (result) ids.push(result.id);
  }
  return body?.counts;
};
