import { z } from 'zod';
import { type PlatformName, platformNames } from './platform-name.ts';

const answers = [
  'ok',
  'server-error',
  'rate-limited',
  'bad-credentials',
  'bad-event',
  'time-out',
  'reset',
  'garbage',
  /** Takes the events, and the answer is lost on its way. */
  'accepted-but-lost',
] as const;

const counts = z.array(z.strictObject({ reason: z.string().min(1), recordCount: z.int().min(0) }));

/** What Google says later of a request, in its own words; a reason without its prefix gets it. */
const processingSchema = z.strictObject({
  status: z.enum(['SUCCESS', 'PROCESSING', 'FAILED', 'PARTIAL_SUCCESS']),
  errors: counts.optional(),
  warnings: counts.optional(),
});
export type Processing = z.infer<typeof processingSchema>;

export const behaviourSchema = z
  .strictObject({
    platform: z.enum(platformNames),
    answer: z.enum(answers),
    /** For so many requests; for ever where it is missing. */
    times: z.int().min(1).optional(),
    delayMs: z.int().min(0).max(600_000).optional(),
    /** What becomes of requests that are accepted from now on, until another behaviour is set. */
    processing: processingSchema.optional(),
  })
  .refine(({ platform, processing }) => platform === 'google' || processing === undefined, {
    path: ['processing'],
    error: 'only Google says later what became of a request',
  });
export type Behaviour = z.infer<typeof behaviourSchema>;

export interface Behaviours {
  set(behaviour: Behaviour): void;
  /** How the platform answers now. */
  of(platform: PlatformName): Behaviour;
  /** The same, and one request is over. */
  take(platform: PlatformName): Behaviour;
  /** What becomes of requests that the platform accepts now, where it was told. */
  processing(platform: PlatformName): Processing | undefined;
}

/** How each platform answers: well, until it is told otherwise. */
export const createBehaviours = (): Behaviours => {
  const told = new Map<PlatformName, Behaviour>();
  const processing = new Map<PlatformName, Processing | undefined>();
  const of = (platform: PlatformName): Behaviour => told.get(platform) ?? { platform, answer: 'ok' };

  return {
    set: (behaviour) => {
      told.set(behaviour.platform, behaviour);
      processing.set(behaviour.platform, behaviour.processing);
    },
    of,
    take: (platform) => {
      const behaviour = of(platform);
      if (behaviour.times === 1) told.delete(platform);
      else if (behaviour.times !== undefined) told.set(platform, { ...behaviour, times: behaviour.times - 1 });
      return behaviour;
    },
    processing: (platform) => processing.get(platform),
  };
};
