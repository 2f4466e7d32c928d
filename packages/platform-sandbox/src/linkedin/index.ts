import { z } from 'zod';
import express, { type RequestHandler, Router } from 'express';
import {
  type ErrorResponse,
  type FailureResponses,
  respondAccepted,
  respondWithError,
  eventsEndpoint,
} from '../behaviour.ts';
import { isHashOfNothing } from '../events.ts';
import { createIssuedTokens, isNoClickId, refreshTokenRequestSchema, bearerToken, isRevoked } from '../tokens.ts';
import type { Sandbox, SandboxPlatform } from '../sandbox.ts';

/** The error body of LinkedIn's APIs ("Error handling"). */
const linkedinError = (
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): ErrorResponse => ({
  status,
  body: { ...more, message, status },
});

const invalidToken = linkedinError(401, 'Invalid access token', {
  serviceErrorCode: 65600,
  code: 'INVALID_ACCESS_TOKEN',
});
const revokedToken = linkedinError(401, 'The token used in the request has been revoked by the user', {
  serviceErrorCode: 65601,
  code: 'REVOKED_ACCESS_TOKEN',
});
const expiredToken = linkedinError(401, 'The token used in the request has expired', {
  serviceErrorCode: 65602,
  code: 'EXPIRED_ACCESS_TOKEN',
});

const noVersion = linkedinError(
  400,
  'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
  { code: 'VERSION_MISSING' },
);
const retiredVersion = (version: string): ErrorResponse =>
  linkedinError(426, `Requested version ${version}01 is not active`, { code: 'NONEXISTENT_VERSION' });

/** LinkedIn says the same for a rule that does not exist and for an account without access. */
const noAccount = linkedinError(403, 'No ad accounts found');

const badRequest = (message: string): ErrorResponse => linkedinError(400, message);

/** The events at these positions lie too far in the past, or in the future. */
const outOfTime = (indices: readonly number[]): ErrorResponse =>
  badRequest(
    `Conversion time should be within 90 days and not exceed current time, indices [${indices.join(', ')}] (0-indexed).`,
  );

/** Fields of the events are invalid; nothing was processed. */
const unprocessable = (message: string): ErrorResponse => linkedinError(422, message);

const linkedinFailureResponses: FailureResponses = {
  'server-error': linkedinError(503, 'Service unavailable'),
  'rate-limited': {
    ...linkedinError(429, 'Resource level throttle APPLICATION DAY limit for calls to this resource is reached.', {
      serviceErrorCode: 101,
    }),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': revokedToken,
  'bad-event': unprocessable('Index: 0, ERROR :: /user :: the sandbox was told to refuse it\n'),
};

const text = z.string('cannot be coerced to String');

const idTypes = [
  'SHA256_EMAIL',
  'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID',
  'PLAINTEXT_IP_ADDRESS',
  'SHA256_IP_ADDRESS',
  'ACXIOM_ID',
  'GOOGLE_AID',
] as const;

const valueShapes: Readonly<Record<(typeof idTypes)[number], RegExp>> = {
  SHA256_EMAIL: /^[0-9a-f]{64}$/,
  LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID: /^[\w-]+$/,
  PLAINTEXT_IP_ADDRESS: /^\d{1,3}(\.\d{1,3}){3}$/,
  SHA256_IP_ADDRESS: /^[0-9a-f]{64}$/,
  ACXIOM_ID: /./,
  GOOGLE_AID: /./,
};

// LinkedIn itself matches nobody by a malformed value, and does not say so
const userId = z
  .strictObject({ idType: z.enum(idTypes, 'is not an enum symbol'), idValue: text })
  .refine(
    ({ idType, idValue }) => valueShapes[idType].test(idValue) && !isHashOfNothing(idValue) && !isNoClickId(idValue),
    {
      path: ['idValue'],
      error: 'matches nobody',
    },
  );

/** An element of `conversionEvents` ("Conversions API Schema"). LinkedIn refuses fields that it does not know. */
const elementSchema = z.strictObject({
  conversion: text.regex(/^urn:lla:llaPartnerConversion:\d+$/, 'Invalid Urn format. Invalid prefix.'),
  conversionHappenedAt: z.int('cannot be coerced to Long').min(1_000_000_000_000, 'is not in milliseconds'),
  conversionValue: z
    .strictObject({
      currencyCode: text.regex(/^[A-Z]{3}$/, 'is no currency of ISO 4217'),
      amount: text.regex(/^\d+(\.\d+)?$/, 'is no decimal'),
    })
    .optional(),
  eventId: text.min(1, 'is empty').optional(),
  user: z.strictObject({
    userIds: z.array(userId, 'cannot be coerced to Array'),
    userInfo: z
      .strictObject({
        firstName: text,
        lastName: text,
        title: text.optional(),
        companyName: text.optional(),
        countryCode: text.optional(),
      })
      .optional(),
    externalIds: z.array(text).max(1).optional(),
  }),
});

const elementsMax = 5000;
// PostgreSQL and the tests may read the clock of this machine in different ways
const aheadMaxMs = 1000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

const requestSchema = z.strictObject({ elements: z.array(z.unknown()).min(1) });

const problemOf = ({ code, message, input, ...issue }: z.core.$ZodIssue): string => {
  if (issue.path.length > 0 && input === undefined && code !== 'unrecognized_keys') {
    return 'field is required but not found and has no default value';
  }
  if (code === 'unrecognized_keys') return 'unrecognized field found but not allowed';
  return `${JSON.stringify(input)} ${message}`;
};

const pathOf = (issue: z.core.$ZodIssue): string => {
  const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, 1) : [];
  return `/${[...issue.path, ...keys].join('/')}`;
};

/** What the validator says about one element: a line for each invalid field, the first with the element's position. */
const errorsOf = (index: number, issues: readonly z.core.$ZodIssue[]): string => {
  const lines = issues.map((issue) => `ERROR :: ${pathOf(issue)} :: ${problemOf(issue)}\n`);
  return `Index: ${index}, ${lines.join('')}`;
};

/** Why LinkedIn would reject this batch: one invalid event is enough. `undefined` if LinkedIn would accept it. */
const refusalOf = (body: unknown, nowMs: number): ErrorResponse | undefined => {
  const request = requestSchema.safeParse(body);
  if (!request.success) return badRequest('The request body is not a batch of elements.');
  const { elements } = request.data;
  if (elements.length > elementsMax) return badRequest(`The batch has more than ${elementsMax} elements.`);

  const read = elements.map((element) => elementSchema.safeParse(element, { reportInput: true }));
  const errors = read.flatMap(({ error }, index) => (error ? [errorsOf(index, error.issues)] : []));
  if (errors.length > 0) return unprocessable(errors.join(''));

  const times = read.map(({ data }) => data?.conversionHappenedAt ?? 0);
  const outside = times.flatMap((timeMs, index) =>
    timeMs > nowMs + aheadMaxMs || nowMs - timeMs > ageMaxMs ? [index] : [],
  );
  if (outside.length > 0) return outOfTime(outside);
  // the sandbox has every rule but this one
  return read.some(({ data }) => data?.conversion.endsWith(':0')) ? noAccount : undefined;
};

const path = '/rest/conversionEvents';
const tokenPath = '/oauth/v2/accessToken';
const tokenLifeSeconds = 60 * 24 * 60 * 60;
// "Migrations": sunset on 16 November 2026
const retiredUpTo = '202511';

const requireVersion: RequestHandler = (request, response, next) => {
  const version = request.get('linkedin-version');
  if (version === undefined) return respondWithError(response, noVersion);
  return /^20\d{4}$/.test(version) && version > retiredUpTo
    ? next()
    : respondWithError(response, retiredVersion(version));
};

const requireBatch: RequestHandler = (request, response, next) => {
  const isBatch =
    request.get('x-restli-method') === 'BATCH_CREATE' && request.get('x-restli-protocol-version') === '2.0.0';
  return isBatch ? next() : respondWithError(response, badRequest('This resource needs the method BATCH_CREATE.'));
};

// keeps the events as sent; the schema would reorder their fields
const sentSchema = z.object({ elements: z.array(z.looseObject({ conversion: z.string() })) });

/** `POST /rest/conversionEvents` of the Conversions API, and LinkedIn's token endpoint. */
const linkedinRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createIssuedTokens<undefined>(now, 'AQX', tokenLifeSeconds);

  const issueToken: RequestHandler = (request, response) => {
    const { data } = refreshTokenRequestSchema.safeParse(request.body);
    const refuse = (status: number, error: string) => respondWithError(response, { status, body: { error } });
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
    if (token === undefined) return respondWithError(response, invalidToken);
    if (isRevoked(token)) return respondWithError(response, revokedToken);
    return tokens.isExpired(token) ? respondWithError(response, expiredToken) : next();
  };

  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return respondWithError(response, refusal);
    const { elements } = sentSchema.parse(request.body);
    for (const [conversion, events] of Map.groupBy(elements, (element) => element.conversion)) {
      received.add({ platform: 'linkedin', connection: conversion.replace(/^.*:/, '') }, events);
    }
    respondAccepted(response, { elements: elements.map(() => ({ status: 201 })) });
  };

  return Router()
    .post(tokenPath, express.urlencoded({ extended: false }), issueToken)
    .use(
      eventsEndpoint(
        {
          path,
          platform: 'linkedin',
          behaviours,
          failures: linkedinFailureResponses,
          unreadable: () => badRequest('The body is not JSON.'),
        },
        authorise,
        requireVersion,
        requireBatch,
        takeEvents,
      ),
    );
};

export const linkedinSandbox: SandboxPlatform = {
  name: 'linkedin',
  color: 'light-dark(#0a66c2, #70b5f9)',
  reportsStatus: false,
  router: linkedinRouter,
};
