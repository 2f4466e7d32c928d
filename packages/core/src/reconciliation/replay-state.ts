import { platformNames, replayableOutcomes } from '@leadback/domain';
import { z } from 'zod';
import { moneySumsSchema } from '../imports/money-sums.ts';

/** The outcomes of rows that were registered. `repeated`: it was registered meanwhile, alike. `differs`: not alike. */
const replayResults = ['created', 'repeated', 'differs', 'refused'] as const;

export const replaySchema = z.object({
  /** Whether everything is tried and nothing is kept. */
  isDryRun: z.boolean(),
  /** Those of which rows are left to register. */
  todo: z.array(z.enum(replayableOutcomes)),
  /** The number of the last row that was registered with the first of them. */
  after: z.number(),
  counts: z.record(z.enum(replayResults), z.number()),
  /** What the created ones are worth, by currency. */
  money: moneySumsSchema.default({}),
  /** How many of the created ones each platform of the account will skip, because they occurred too long ago. */
  tooOld: z.partialRecord(z.enum(platformNames), z.number()),
  /** How many of the created ones count as of now, because the list does not say when they occurred. */
  withoutTime: z.number(),
  /** Whether it ended because the next rows failed again and again. */
  hasFailed: z.boolean().default(false),
});
export type Replay = Readonly<z.infer<typeof replaySchema>>;
