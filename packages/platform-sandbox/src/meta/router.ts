import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { answerAccepted, answerWithError, playBehaviour } from '../play-behaviour.ts';
import { bearerToken, isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import { fbtraceId, invalidParameter, metaError, metaFailureResponses, revokedToken } from './errors.ts';
import { refusalOf } from './refusal.ts';

const path = /^\/v\d+\.\d+\/(?<pixelId>[^/]+)\/events$/;

const tokenSchema = z.object({ access_token: z.string().min(1) });

/** The token may be in the body, the query or the header. */
const accessTokenOf = (body: unknown, query: unknown, authorization: string | undefined) =>
  tokenSchema.safeParse(body).data?.access_token ??
  tokenSchema.safeParse(query).data?.access_token ??
  bearerToken(authorization);

const authorise: RequestHandler = (request, response, next) => {
  const token = accessTokenOf(request.body, request.query, request.headers.authorization);
  if (token === undefined) {
    const message = 'An access token is required to request this resource.';
    return answerWithError(response, metaError(400, { code: 104, message }));
  }
  return isRevoked(token) ? answerWithError(response, revokedToken) : next();
};

const proofSchema = z.object({
  appsecret_proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Checks only the form of a proof, because the sandbox has no app secret. */
const checkProof: RequestHandler = (request, response, next) => {
  const isWellFormed = proofSchema.safeParse(request.body).success && proofSchema.safeParse(request.query).success;
  if (isWellFormed) return next();
  const message = 'Invalid appsecret_proof provided in the API argument';
  return answerWithError(response, metaError(400, { code: 100, type: 'GraphMethodException', message }));
};

const requirePixel: RequestHandler = (request, response, next) => {
  const pixelId = String(request.params['pixelId']);
  if (/^\d+$/.test(pixelId)) return next();
  const message = `Unsupported post request. Object with ID '${pixelId}' does not exist, or cannot be loaded due to missing permissions`;
  return answerWithError(response, metaError(400, { code: 100, subcode: 33, type: 'GraphMethodException', message }));
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, invalidParameter('the body is not JSON'));
};

const sentSchema = z.object({ data: z.array(z.unknown()), test_event_code: z.string().optional() });

/** `POST /v25.0/{pixel id}/events` of the Conversions API. */
export const metaRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return answerWithError(response, refusal);
    const { data: events, test_event_code: testEventCode } = sentSchema.parse(request.body);
    const connection = String(request.params['pixelId']);
    received.add({ platform: 'meta', connection, ...(testEventCode !== undefined && { testEventCode }) }, events);
    answerAccepted(response, { events_received: events.length, messages: [], fbtrace_id: fbtraceId() });
  };

  return Router()
    .post(
      path,
      express.json({ limit: '16mb' }),
      playBehaviour('meta', behaviours, metaFailureResponses),
      authorise,
      checkProof,
      requirePixel,
      takeEvents,
    )
    .use(path, unreadable);
};
