import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { answerAccepted, answerWithError, playBehaviour } from '../play-behaviour.ts';
import { isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import { badToken, invalidParameter, tiktokBody, tiktokFailureResponses } from './errors.ts';
import { refusalOf } from './refusal.ts';

const path = '/open_api/v1.3/event/track/';

const authorise: RequestHandler = (request, response, next) => {
  const token = request.get('access-token') ?? '';
  return token === '' || isRevoked(token) ? answerWithError(response, badToken) : next();
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, invalidParameter('The body is not valid JSON.'));
};

// keeps the events as sent; the schema would reorder their fields
const sentSchema = z.object({
  event_source_id: z.string(),
  test_event_code: z.string().optional(),
  data: z.array(z.unknown()),
});

/** `POST /open_api/v1.3/event/track/` of the Events API 2.0. */
export const tiktokRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return answerWithError(response, refusal);
    const { event_source_id: connection, test_event_code: testEventCode, data } = sentSchema.parse(request.body);
    received.add({ platform: 'tiktok', connection, ...(testEventCode !== undefined && { testEventCode }) }, data);
    answerAccepted(response, tiktokBody(0, 'OK'));
  };

  return Router()
    .post(
      path,
      express.json({ limit: '16mb' }),
      playBehaviour('tiktok', behaviours, tiktokFailureResponses),
      authorise,
      takeEvents,
    )
    .use(path, unreadable);
};
