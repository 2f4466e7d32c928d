import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { createIssuedTokens } from '../issued-tokens.ts';
import { answerAccepted, answerWithError, isFirstEventBad, playBehaviour } from '../play-behaviour.ts';
import { refreshTokenRequestSchema } from '../refresh-token-request.ts';
import { bearerToken, isRevoked } from '../revoked.ts';
import type { Sandbox } from '../sandbox.ts';
import { problemOf } from './conversion.ts';
import {
  apiFault,
  badCredentials,
  batchError,
  expiredToken,
  invalidInput,
  microsoftFailureResponses,
  noConversions,
  noHeaders,
  tooManyConversions,
} from './errors.ts';

const path = '/CampaignManagement/v13/OfflineConversions/Apply';
const tokenPath = '/common/oauth2/v2.0/token';
const tokenLifeSeconds = 3600;
const conversionsMax = 1000;
const scope = 'https://ads.microsoft.com/msads.manage';

const tokenRequestSchema = refreshTokenRequestSchema.extend({
  scope: z.string().refine((scopes) => scopes.split(' ').includes(scope)),
});

const requireAccount: RequestHandler = (request, response, next) => {
  const ids = [request.get('customerid'), request.get('customeraccountid')];
  return ids.every((id) => /^\d+$/.test(id ?? '')) ? next() : answerWithError(response, apiFault(noHeaders));
};

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  answerWithError(response, apiFault(invalidInput));
};

const requestSchema = z.object({ OfflineConversions: z.array(z.unknown()).nullish() });
const namedSchema = z.object({ ConversionName: z.string() });

/** `OfflineConversions/Apply` of the Campaign Management API, and the token endpoint of Microsoft's identity platform. */
export const microsoftRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createIssuedTokens<undefined>(now, 'eyJ0eXAi', tokenLifeSeconds);

  const issueToken: RequestHandler = (request, response) => {
    const { data } = tokenRequestSchema.safeParse(request.body);
    const refuse = (status: number, error: string, description: string) =>
      answerWithError(response, { status, body: { error, error_description: description } });
    if (data === undefined) return refuse(400, 'invalid_request', 'AADSTS900144: A parameter is missing or invalid.');
    if (isRevoked(data.client_secret)) return refuse(401, 'invalid_client', 'AADSTS7000215: Invalid client secret.');
    if (isRevoked(data.refresh_token)) {
      return refuse(400, 'invalid_grant', 'AADSTS70008: The refresh token has expired or was revoked.');
    }
    response.json({
      token_type: 'Bearer',
      scope,
      expires_in: tokenLifeSeconds,
      access_token: tokens.issue(undefined),
      refresh_token: data.refresh_token,
    });
  };

  const authorise: RequestHandler = (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    const developerToken = request.get('developertoken') ?? '';
    const isInvalid = token === undefined || developerToken === '' || isRevoked(token) || isRevoked(developerToken);
    if (isInvalid) return answerWithError(response, badCredentials);
    return tokens.isExpired(token) ? answerWithError(response, expiredToken) : next();
  };

  const takeConversions: RequestHandler = (request, response) => {
    const { data } = requestSchema.safeParse(request.body);
    const conversions = data?.OfflineConversions ?? [];
    if (conversions.length === 0) return answerWithError(response, apiFault(noConversions));
    if (conversions.length > conversionsMax) return answerWithError(response, apiFault(tooManyConversions));

    const problems = conversions.map((conversion, index) =>
      index === 0 && isFirstEventBad(response) ? invalidInput : problemOf(conversion, now()),
    );
    const applied = conversions.filter((_, index) => problems[index] === undefined);
    const byName = Map.groupBy(applied, (conversion) => namedSchema.parse(conversion).ConversionName);
    for (const [connection, events] of byName) received.add({ platform: 'microsoft', connection }, events);
    answerAccepted(response, {
      PartialErrors: problems.flatMap((problem, index) => (problem ? [batchError(index, problem)] : [])),
    });
  };

  return Router()
    .post(tokenPath, express.urlencoded({ extended: false }), issueToken)
    .post(
      path,
      express.json({ limit: '16mb' }),
      playBehaviour('microsoft', behaviours, microsoftFailureResponses),
      authorise,
      requireAccount,
      takeConversions,
    )
    .use(path, unreadable);
};
