import { z } from 'zod';
import { accountId } from './account-path.ts';

/** `GET /api/accounts/:account/deliveries/:id/payload`: what the platform would be told now. Sends nothing. */
export const previewPayloadInput = z.object({ account: accountId, id: z.coerce.number().int().min(1) });

export const previewPayloadReply = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    /** In the platform's own format. Personal data are masked for everybody, also where they are hashed. */
    event: z.record(z.string(), z.unknown()),
    isTest: z.boolean(),
    /** What the platform is not told in full. */
    note: z.string().nullable(),
    /** Why it would not be sent now; null: nothing holds it back. */
    held: z.string().nullable(),
  }),
  /** There is nothing to tell the platform. `meaning`: of the reason, if it is known. */
  z.object({ kind: z.literal('skipped'), reason: z.string(), meaning: z.string().nullable() }),
  /** What happened lies in the future. */
  z.object({ kind: z.literal('early'), at: z.string() }),
  /** The connection cannot be used: its settings or credentials do not fit. */
  z.object({ kind: z.literal('unusable'), reason: z.string() }),
]);

export type PreviewPayloadReply = z.output<typeof previewPayloadReply>;
