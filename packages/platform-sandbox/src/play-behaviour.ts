import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { Behaviour, Behaviours } from './behaviour.ts';
import type { PlatformName } from './platform-name.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A platform's own words for the troubles that it can be told to have. */
export type Troubles = Readonly<Record<'server-error' | 'rate-limited' | 'bad-credentials' | 'bad-event', ErrorAnswer>>;

const hangUpMs = 60_000;
// cut off in the middle, as a proxy that dies leaves it
const garbage = '<!doctype html><html><head><title>502 Bad Gateway</title></he';

export const answerWithError = (response: Response, { status, headers = {}, body }: ErrorAnswer): void => {
  response.status(status).set(headers).json(body);
};

const play = (
  answer: Exclude<Behaviour['answer'], 'ok' | 'accepted-but-lost'>,
  response: Response,
  troubles: Troubles,
) => {
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
    case 'bad-event':
      answerWithError(response, troubles[answer]);
  }
};

/** Answers in the platform's place as it was told to; goes on to the real answer where that is to be seen or lost. */
export const playBehaviour =
  (platform: PlatformName, behaviours: Behaviours, troubles: Troubles): RequestHandler =>
  async (_request, response, next) => {
    const { answer, delayMs = 0 } = behaviours.take(platform);
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    if (answer === 'ok') return next();
    if (answer !== 'accepted-but-lost') return play(answer, response, troubles);
    response.locals['isLost'] = true;
    return next();
  };

/** Sends the answer to accepted events, unless it is to be lost. */
export const answerAccepted = (response: Response, body: unknown): void => {
  if (response.locals['isLost'] === true) response.socket?.resetAndDestroy();
  else response.json(body);
};
