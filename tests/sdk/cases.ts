import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { responseSchema } from './scripted-api.ts';

const exchange = z.strictObject({
  title: z.string(),
  options: z.record(z.string(), z.unknown()).default({}),
  call: z.string(),
  arguments: z.array(z.unknown()).default([]),
  responses: z.array(responseSchema),
  /** What the requests must be, as far as it is said. */
  requests: z
    .array(
      z.strictObject({
        method: z.string().optional(),
        url: z.string().optional(),
        query: z.record(z.string(), z.string()).optional(),
        body: z.unknown().optional(),
        hasIdempotencyKey: z.boolean().optional(),
        idempotencyKey: z.string().optional(),
      }),
    )
    .default([]),
  pausesMinMs: z.array(z.number()).default([]),
  outcome: z.unknown(),
});

const construction = z.strictObject({
  title: z.string(),
  options: z.record(z.string(), z.unknown()),
  /** The option that the error names. */
  names: z.string(),
});

const leadReference = z.strictObject({ title: z.string(), text: z.string().nullable(), isAccepted: z.boolean() });

const webhook = z.strictObject({
  title: z.string(),
  signedWith: z.array(z.enum(['current', 'other'])),
  reason: z.string().default('too old'),
  ageSeconds: z.number().default(0),
  isUpperCase: z.boolean().default(false),
  isChanged: z.boolean().default(false),
  without: z.string().optional(),
  /** Of the error; without one, the webhook is accepted. */
  code: z.string().optional(),
});

const casesSchema = z.strictObject({
  exchanges: z.array(exchange),
  constructions: z.array(construction),
  leadReferences: z.array(leadReference),
  webhooks: z.array(webhook),
});

/** What every SDK must do, whatever its language. */
export const cases = casesSchema.parse(JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8')));

export type Exchange = z.infer<typeof exchange>;
