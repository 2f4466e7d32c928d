import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { answerAccepted, answerWithError, playBehaviour } from '../play-behaviour.ts';
import { bearerToken, isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import { googleTroubles, invalidArgument, requestId, unauthenticated } from './errors.ts';
import { ingestSchema, refusalOf } from './refusal.ts';
import { tokenRouter } from './tokens.ts';

const path = '/v1/events\\:ingest';

const authorise: RequestHandler = (request, response, next) => {
  const token = bearerToken(request.headers.authorization);
  if (token === undefined || isRevoked(token)) return answerWithError(response, unauthenticated);
  return next();
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  const notJson = { field: '', reason: 'INVALID_FORMAT', description: 'The body is not JSON.' };
  answerWithError(response, invalidArgument([notJson]));
};

/** `POST /v1/events:ingest` of the Data Manager API, and the token endpoint that goes with it. */
export const googleRouter = ({ received, behaviours }: Sandbox): Router => {
  const takeEvents: RequestHandler = (request, response) => {
    const { data, error } = ingestSchema.safeParse(request.body);
    if (error) return answerWithError(response, refusalOf(error));
    if (data.validateOnly !== true) {
      // the events as they were sent, not as the schema reads them
      const { events }: { events: unknown[] } = request.body;
      for (const { productDestinationId } of data.destinations) received.add('google', productDestinationId, events);
    }
    answerAccepted(response, { requestId: requestId() });
  };

  return Router()
    .use(tokenRouter())
    .post(
      path,
      express.json({ limit: '16mb' }),
      playBehaviour('google', behaviours, googleTroubles),
      authorise,
      takeEvents,
    )
    .use(path, unreadable);
};
