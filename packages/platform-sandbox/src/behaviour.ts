import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import type { PlatformFacts } from './events.ts';

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

const counts = z.array(
  z
    .strictObject({
      reason: z.string().min(1),
      recordCount: z.int().min(0).optional(),
      /** The positions of the events. Without them, the status names no events, as before version 1.9 of Google's API. */
      recordIndices: z.array(z.int().min(0)).min(1).optional(),
    })
    .transform(({ reason, recordIndices, recordCount = recordIndices?.length ?? 0 }) => ({
      reason,
      recordCount,
      ...(recordIndices && { recordIndices }),
    })),
);

/** The request status that Google reports later, in its own format; reasons may lack their prefix. */
const processingSchema = z.strictObject({
  status: z.enum(['SUCCESS', 'PROCESSING', 'FAILED', 'PARTIAL_SUCCESS']),
  errors: counts.optional(),
  warnings: counts.optional(),
  /** What the response to the request itself says: what Google left out of events. */
  fieldWarnings: z
    .array(z.strictObject({ field: z.string(), reason: z.string(), description: z.string().default('') }))
    .optional(),
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
type Behaviour = z.infer<ReturnType<typeof behaviourSchema>>;

/** What the buttons of the page switch on, for all requests until another one is pressed. */
export const switches = {
  works: { label: 'Works', behaviour: { answer: 'ok' } },
  'reject-token': { label: 'Rejects the token', behaviour: { answer: 'bad-credentials' } },
  '429': { label: 'Too many requests', behaviour: { answer: 'rate-limited' } },
  slow: { label: 'Slow', behaviour: { answer: 'ok', delayMs: 5_000 } },
  silent: { label: 'Silent', behaviour: { answer: 'time-out' } },
} as const satisfies Readonly<
  Record<string, { readonly label: string; readonly behaviour: Omit<Behaviour, 'platform'> }>
>;
export type SwitchName = keyof typeof switches;

// in the order of the page: a name of digits comes first among the keys of an object
export const switchNames: readonly SwitchName[] = ['works', 'reject-token', '429', 'slow', 'silent'];

/** Which switch a platform is at; undefined: the behaviour is none of them. */
export const switchOf = ({ answer, delayMs = 0, times, processing }: Behaviour): SwitchName | undefined =>
  switchNames.find((name) => {
    const { behaviour }: { behaviour: Omit<Behaviour, 'platform'> } = switches[name];
    return (
      behaviour.answer === answer &&
      (behaviour.delayMs ?? 0) === delayMs &&
      times === undefined &&
      processing === undefined
    );
  });

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

export interface ErrorResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A platform's own responses for the failures that can be configured. */
export interface FailureResponses
  extends Readonly<Record<'server-error' | 'rate-limited' | 'bad-credentials', ErrorResponse>> {
  /** `first-event`: the platform rejects the first event of a request and accepts the others. */
  readonly 'bad-event': ErrorResponse | 'first-event';
}

const hangUpMs = 60_000;
// a truncated body, as from a proxy that crashes
const garbage = '<!doctype html><html><head><title>502 Bad Gateway</title></he';

export const respondWithError = (response: Response, { status, headers = {}, body }: ErrorResponse): void => {
  response.status(status).set(headers).json(body);
};

type Failing = Exclude<Behaviour['answer'], 'ok' | 'accepted-but-lost' | 'bad-event'>;

const play = (answer: Failing, response: Response, failureResponses: FailureResponses) => {
  switch (answer) {
    case 'time-out':
      setTimeout(() => response.destroy(), hangUpMs).unref();
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'garbage':
      response.type('html').send(garbage);
      return;
    case 'server-error':
    case 'rate-limited':
    case 'bad-credentials':
      respondWithError(response, failureResponses[answer]);
  }
};

/**
 * Responds with the configured behaviour; continues to the regular response for `ok` and `accepted-but-lost`, and if only
 * the first event is to be rejected.
 */
export const playBehaviour =
  (platform: string, behaviours: Behaviours, failureResponses: FailureResponses): RequestHandler =>
  async (_request, response, next) => {
    const { answer, delayMs = 0 } = behaviours.take(platform);
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    if (answer === 'ok') return next();
    if (answer === 'bad-event') {
      const failure = failureResponses['bad-event'];
      if (failure !== 'first-event') return respondWithError(response, failure);
      response.locals['isFirstBad'] = true;
      return next();
    }
    if (answer !== 'accepted-but-lost') return play(answer, response, failureResponses);
    response.locals['isLost'] = true;
    return next();
  };

/** Whether the first event of the request is to be rejected. */
export const isFirstEventBad = (response: Response): boolean => response.locals['isFirstBad'] === true;

/** Sends the response to accepted events, or drops the connection for `accepted-but-lost`. */
export const respondAccepted = (response: Response, body: unknown): void => {
  if (response.locals['isLost'] === true) response.socket?.resetAndDestroy();
  else response.json(body);
};

interface EventsEndpoint {
  readonly path: string | RegExp;
  readonly platform: string;
  readonly behaviours: Behaviours;
  readonly failures: FailureResponses;
  /** The response to a body that is no JSON. */
  readonly unreadable: () => ErrorResponse;
}

/** The endpoint that takes events as JSON: behaves as configured, else as the handlers do. */
export const eventsEndpoint = (
  { path, platform, behaviours, failures, unreadable }: EventsEndpoint,
  ...handlers: readonly RequestHandler[]
): Router => {
  const answerUnreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
    respondWithError(response, unreadable());
  };
  return Router()
    .post(path, express.json({ limit: '16mb' }), playBehaviour(platform, behaviours, failures), ...handlers)
    .use(path, answerUnreadable);
};
