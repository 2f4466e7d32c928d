import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { Behaviour, Behaviours } from './behaviour.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A platform's own responses for the failures that can be configured. */
export interface FailureResponses
  extends Readonly<Record<'server-error' | 'rate-limited' | 'bad-credentials', ErrorAnswer>> {
  /** `first-event`: the platform rejects the first event of a request and accepts the others. */
  readonly 'bad-event': ErrorAnswer | 'first-event';
}

const hangUpMs = 60_000;
// a truncated body, as from a proxy that crashes
const garbage = '<!doctype html><html><head><title>502 Bad Gateway</title></he';

export const answerWithError = (response: Response, { status, headers = {}, body }: ErrorAnswer): void => {
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
      answerWithError(response, failureResponses[answer]);
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
      if (failure !== 'first-event') return answerWithError(response, failure);
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
export const answerAccepted = (response: Response, body: unknown): void => {
  if (response.locals['isLost'] === true) response.socket?.resetAndDestroy();
  else response.json(body);
};
