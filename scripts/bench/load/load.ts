import { z } from 'zod';

/**
 * A piece of a body: fixed text, the number of the request, a hash of it, or the next text of a list, from the start after
 * the last.
 */
const pieceSchema = z.union([
  z.string(),
  z.object({ number: z.literal(true) }),
  z.object({ hashedNumber: z.literal(true) }),
  z.object({ next: z.array(z.string()).min(1) }),
]);
export type Piece = z.infer<typeof pieceSchema>;

/** The number of the request: no other request of a run has the same one. */
export const requestNumber: Piece = { number: true };
/** As unique, and in random order: an index stores it anywhere, not at its end. */
export const hashedRequestNumber: Piece = { hashedNumber: true };

export const askedSchema = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  headers: z.record(z.string(), z.string()),
  body: z.array(pieceSchema).optional(),
  /** Any other status ends the benchmark. */
  expected: z.number(),
});
/** A request that is sent again and again. */
export type Asked = Readonly<z.infer<typeof askedSchema>>;

export const loadSchema = z.object({
  asked: askedSchema,
  seconds: z.number(),
  /** Before the measurement. */
  warmUpSeconds: z.number(),
  connections: z.int(),
  /** A status that is counted apart. A connection pauses after it. */
  refused: z.object({ status: z.int(), pauseMs: z.number() }).optional(),
  /**
   * The generator asks for responses without ever sleeping. Only where the server leaves it a core: on a virtual machine,
   * a server that writes to a sleeping process pays for waking its core, which took a third of a landing page's CPU time.
   */
  polls: z.boolean().optional(),
  /** Sends at this rate, however long the responses take. Default: each connection waits for its response. */
  perSecond: z.number().optional(),
});
export type Load = z.infer<typeof loadSchema>;

export const rateSchema = z.object({
  /** In all, also those of the warm-up. */
  operations: z.int(),
  perSecond: z.number(),
  /** How many got that status; the other figures are without them. */
  refused: z.int(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
  /** Of a load with a rate: the number of each request, and when its response was there, in milliseconds since 1970. */
  responses: z.array(z.tuple([z.int(), z.number()])),
});
export type Rate = Readonly<z.infer<typeof rateSchema>>;
