import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { answerAccepted, answerWithError, playBehaviour } from '../play-behaviour.ts';
import { bearerToken, isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import { googleFailureResponses, invalidArgument, requestId, unauthenticated, unknownRequest } from './errors.ts';
import { createProcessedRequests, processingOf } from './processed-requests.ts';
import { createQuota } from './quota.ts';
import { ingestRequestSchemas } from './request.ts';
import { createTokens, judgeTokenRequest } from './tokens.ts';
import { generalReason, violationOf } from './violation.ts';

const path = '/v1/events\\:ingest';
const statusPath = '/v1/requestStatus\\:retrieve';

// keeps the events as sent; the schema would reorder their fields
const sentSchema = z.object({ events: z.array(z.unknown()) });
const referringSchema = z.object({ destinationReferences: z.array(z.string()).min(1) });

/** Whether an event is for a destination: one without references is for all of them. */
const isFor =
  ({ reference }: { readonly reference?: string | undefined }) =>
  (event: unknown): boolean => {
    const { data } = referringSchema.safeParse(event);
    return data === undefined || data.destinationReferences.includes(reference ?? '');
  };

const noRequestId = {
  field: 'request_id',
  reason: 'REQUIRED_FIELD_MISSING',
  description: 'Required field is missing.',
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  const notJson = { field: '', reason: 'INVALID_ARGUMENT', description: 'Invalid JSON payload received.' };
  answerWithError(response, invalidArgument([notJson]));
};

const unreadableForm: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, { status: 400, body: { error: 'invalid_request' } });
};

/** `events:ingest` and `requestStatus:retrieve` of the Data Manager API, and Google's token endpoint. */
export const googleRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createTokens(now);
  const takeOfQuota = createQuota(now);
  const processed = createProcessedRequests();
  const schemaOf = ingestRequestSchemas(now);
  const play = playBehaviour('google', behaviours, googleFailureResponses);

  const issueToken: RequestHandler = (request, response) => {
    const asked = judgeTokenRequest(request.body, now());
    if (asked.kind === 'refused') return answerWithError(response, asked.refusal);
    response.json(tokens.issue(asked.project));
  };

  const authorise: RequestHandler = (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined || isRevoked(token) || tokens.isExpired(token)) {
      return answerWithError(response, unauthenticated);
    }
    const refusal = takeOfQuota(tokens.projectOf(token));
    return refusal === undefined ? next() : answerWithError(response, refusal);
  };

  const takeEvents: RequestHandler = (request, response) => {
    const body: unknown = request.body;
    const ingest = schemaOf(body).safeParse(body, { error: generalReason });
    if (!ingest.success) return answerWithError(response, invalidArgument(ingest.error.issues.map(violationOf)));

    const { events } = sentSchema.parse(body);
    const { destinations, validateOnly } = ingest.data;
    const id = requestId();
    if (!validateOnly) {
      for (const destination of destinations) {
        const its = events.filter(isFor(destination));
        received.add({ platform: 'google', connection: destination.productDestinationId }, its);
      }
      const processing = behaviours.processing('google') ?? processingOf(ingest.data, now());
      processed.add(id, { destinations, events: events.length, processing });
    }
    answerAccepted(response, { requestId: id });
  };

  const tellStatus: RequestHandler = (request, response) => {
    const { requestId: id } = request.query;
    if (typeof id !== 'string' || id === '') return answerWithError(response, invalidArgument([noRequestId]));
    const status = processed.statusOf(id);
    if (status === undefined) return answerWithError(response, unknownRequest);
    answerAccepted(response, status);
  };

  return Router()
    .post('/token', express.urlencoded({ extended: false }), issueToken)
    .use('/token', unreadableForm)
    .get(statusPath, play, authorise, tellStatus)
    .post(path, express.json({ limit: '16mb' }), play, authorise, takeEvents)
    .use(path, unreadable);
};
