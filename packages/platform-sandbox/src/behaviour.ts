import { z } from 'zod';
import type { PlatformFacts } from './platform-facts.ts';

const answers = [
  'ok',
  'server-error',
  'rate-limited',
  'bad-credentials',
  'bad-event',
  'time-out',
  'reset',
  'garbage',
  /** Accepts the events but drops the connection before the response. */
  'accepted-but-lost',
] as const;

const counts = z.array(z.strictObject({ reason: z.string().min(1), recordCount: z.int().min(0) }));

/** The request status that Google reports later, in its own format; reasons may lack their prefix. */
const processingSchema = z.strictObject({
  status: z.enum(['SUCCESS', 'PROCESSING', 'FAILED', 'PARTIAL_SUCCESS']),
  errors: counts.optional(),
  warnings: counts.optional(),
});
export type Processing = z.infer<typeof processingSchema>;

/** What can be configured for these platforms. */
export const behaviourSchema = (platforms: readonly PlatformFacts[]) =>
  z
    .strictObject({
      platform: z.enum(platforms.map(({ name }) => name)),
      answer: z.enum(answers),
      /** The number of requests it applies to. Default: all. */
      times: z.int().min(1).optional(),
      delayMs: z.int().min(0).max(600_000).optional(),
      /** The request status of requests accepted from now on, until another behaviour is set. */
      processing: processingSchema.optional(),
    })
    .refine(
      ({ platform, processing }) =>
        processing === undefined || platforms.some(({ name, reportsStatus }) => name === platform && reportsStatus),
      {
        path: ['processing'],
        error: 'this platform reports no request status',
      },
    );
export type Behaviour = z.infer<ReturnType<typeof behaviourSchema>>;

export interface Behaviours {
  set(behaviour: Behaviour): void;
  /** The current behaviour of a platform. */
  of(platform: string): Behaviour;
  /** The same, and counts one request. */
  take(platform: string): Behaviour;
  /** The configured request status, if any. */
  processing(platform: string): Processing | undefined;
}

/** Every platform behaves `ok` until another behaviour is set. */
export const createBehaviours = (): Behaviours => {
  const told = new Map<string, Behaviour>();
  const processing = new Map<string, Processing | undefined>();
  const of = (platform: string): Behaviour => told.get(platform) ?? { platform, answer: 'ok' };

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
