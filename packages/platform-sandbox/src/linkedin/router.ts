import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { createIssuedTokens } from '../issued-tokens.ts';
import { answerAccepted, answerWithError, playBehaviour } from '../play-behaviour.ts';
import { refreshTokenRequestSchema } from '../refresh-token-request.ts';
import { bearerToken, isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import {
  badRequest,
  expiredToken,
  invalidToken,
  linkedinFailureResponses,
  noVersion,
  retiredVersion,
  revokedToken,
} from './errors.ts';
import { refusalOf } from './refusal.ts';

const path = '/rest/conversionEvents';
const tokenPath = '/oauth/v2/accessToken';
const tokenLifeSeconds = 60 * 24 * 60 * 60;
// "Migrations": sunset on 16 November 2026
const retiredUpTo = '202511';

const requireVersion: RequestHandler = (request, response, next) => {
  const version = request.get('linkedin-version');
  if (version === undefined) return answerWithError(response, noVersion);
  return /^20\d{4}$/.test(version) && version > retiredUpTo
    ? next()
    : answerWithError(response, retiredVersion(version));
};

const requireBatch: RequestHandler = (request, response, next) => {
  const isBatch =
    request.get('x-restli-method') === 'BATCH_CREATE' && request.get('x-restli-protocol-version') === '2.0.0';
  return isBatch ? next() : answerWithError(response, badRequest('This resource needs the method BATCH_CREATE.'));
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, badRequest('The body is not JSON.'));
};

// keeps the events as sent; the schema would reorder their fields
const sentSchema = z.object({ elements: z.array(z.looseObject({ conversion: z.string() })) });

/** `POST /rest/conversionEvents` of the Conversions API, and LinkedIn's token endpoint. */
export const linkedinRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createIssuedTokens<undefined>(now, 'AQX', tokenLifeSeconds);

  const issueToken: RequestHandler = (request, response) => {
    const { data } = refreshTokenRequestSchema.safeParse(request.body);
    const refuse = (status: number, error: string) => answerWithError(response, { status, body: { error } });
    if (data === undefined) return refuse(400, 'invalid_request');
    if (isRevoked(data.client_secret)) return refuse(401, 'invalid_client');
    if (isRevoked(data.refresh_token)) return refuse(400, 'invalid_grant');
    response.json({
      access_token: tokens.issue(undefined),
      expires_in: tokenLifeSeconds,
      refresh_token: data.refresh_token,
      scope: 'r_ads,rw_conversions',
    });
  };

  const authorise: RequestHandler = (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) return answerWithError(response, invalidToken);
    if (isRevoked(token)) return answerWithError(response, revokedToken);
    return tokens.isExpired(token) ? answerWithError(response, expiredToken) : next();
  };

  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return answerWithError(response, refusal);
    const { elements } = sentSchema.parse(request.body);
    for (const [conversion, events] of Map.groupBy(elements, (element) => element.conversion)) {
      received.add({ platform: 'linkedin', connection: conversion.replace(/^.*:/, '') }, events);
    }
    answerAccepted(response, { elements: elements.map(() => ({ status: 201 })) });
  };

  return Router()
    .post(tokenPath, express.urlencoded({ extended: false }), issueToken)
    .post(
      path,
      express.json({ limit: '16mb' }),
      playBehaviour('linkedin', behaviours, linkedinFailureResponses),
      authorise,
      requireVersion,
      requireBatch,
      takeEvents,
    )
    .use(path, unreadable);
};
