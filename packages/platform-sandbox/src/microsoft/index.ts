import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import express, { type RequestHandler, Router } from 'express';
import {
  type ErrorResponse,
  type FailureResponses,
  respondAccepted,
  respondWithError,
  isFirstEventBad,
  eventsEndpoint,
} from '../behaviour.ts';
import { isHashOfNothing } from '../events.ts';
import { clickTimeOf, createIssuedTokens, refreshTokenRequestSchema, bearerToken, isRevoked } from '../tokens.ts';
import type { Sandbox, SandboxPlatform } from '../sandbox.ts';

/** An error of "Operation error codes". */
interface Problem {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

const invalidCredentials: Problem = {
  code: 105,
  name: 'InvalidCredentials',
  message: 'Authentication failed. Either supplied credentials are invalid or the account is inactive',
};
const expired: Problem = {
  code: 109,
  name: 'AuthenticationTokenExpired',
  message: 'Authentication token expired. Please renew it or obtain a new token.',
};
const internalError: Problem = { code: 0, name: 'InternalError', message: 'An internal error has occurred.' };
const tooManyCalls: Problem = {
  code: 117,
  name: 'CallRateExceeded',
  message: 'You have exceeded the number of calls that you are allowed to make in a minute.',
};
const noHeaders: Problem = {
  code: 116,
  name: 'RequestMissingHeaders',
  message: 'One or more required header elements are missing from the request.',
};
const invalidInput: Problem = {
  code: 201,
  name: 'ApiInputValidationError',
  message: 'One or more input elements failed validation.',
};
const noConversions: Problem = {
  code: 5600,
  name: 'OfflineConversionsNullOrEmpty',
  message: 'The list of offline conversions cannot be null or empty.',
};
const tooManyConversions: Problem = {
  code: 5601,
  name: 'OfflineConversionsLimitExceeded',
  message: 'The list of offline conversions exceeds the limit.',
};

const adApiError = ({ code, name, message }: Problem) => ({
  Code: code,
  Detail: null,
  ErrorCode: name,
  Message: message,
});

/** `AdApiFaultDetail`: credentials, rates and internal errors. */
const adApiFault = (status: number, problem: Problem): ErrorResponse => ({
  status,
  body: { TrackingId: randomUUID(), Type: 'AdApiFaultDetail', Errors: [adApiError(problem)] },
});

/** `ApiFaultDetail`: the request as a whole is invalid, and nothing was applied. */
const apiFault = ({ code, name, message }: Problem): ErrorResponse => ({
  status: 400,
  body: {
    TrackingId: randomUUID(),
    Type: 'ApiFaultDetail',
    BatchErrors: [],
    OperationErrors: [{ Code: code, Details: null, ErrorCode: name, Message: message }],
  },
});

/** `BatchError`: one conversion was not applied. */
const batchError = (index: number, { code, name, message }: Problem) => ({
  Code: code,
  Details: null,
  ErrorCode: name,
  FieldPath: null,
  ForwardCompatibilityMap: null,
  Index: index,
  Message: message,
  Type: 'BatchError',
});

const badCredentials = adApiFault(401, invalidCredentials);
const expiredToken = adApiFault(401, expired);

const microsoftFailureResponses: FailureResponses = {
  'server-error': adApiFault(500, internalError),
  'rate-limited': { ...adApiFault(429, tooManyCalls), headers: { 'retry-after': '1' } },
  'bad-credentials': badCredentials,
  'bad-event': 'first-event',
};

// PostgreSQL and the tests may read the clock of this machine in different ways
const aheadMaxMs = 1000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

const problemWith = (code: number, name: string, message: string): Problem => ({ code, name, message });

const noName = problemWith(5605, 'OfflineConversionNameNullOrEmpty', 'The conversion name cannot be null or empty.');
const unknownName = problemWith(5606, 'OfflineConversionNameInvalid', 'The conversion name does not match a goal.');
const noClick = problemWith(5603, 'OfflineConversionMicrosoftClickIdNullOrEmpty', 'The Microsoft Click Id is empty.');
const badClick = problemWith(5604, 'OfflineConversionMicrosoftClickIdInvalid', 'The Microsoft Click Id is invalid.');
const noTime = problemWith(5608, 'OfflineConversionTimeNullOrEmpty', 'The conversion time cannot be null or empty.');
const badTime = problemWith(5607, 'OfflineConversionTimeInvalid', 'The conversion time is invalid.');
const oldTime = problemWith(5609, 'OfflineConversionTimeOutOfWindow', 'The conversion time is out of the window.');
const futureTime = problemWith(5614, 'FutureConversionTimeCannotBeSet', 'A future conversion time cannot be set.');
// their numbers are not documented
const earlyTime = problemWith(
  5616,
  'ConversionTimeEarlierThanClickTime',
  'The conversion time must be later than the click time.',
);
const staleClick = problemWith(
  5617,
  'ClickIdDateTimeOutsideGoalConversionWindow',
  'The date and time for the click ID is outside the conversion window for this goal.',
);
const badValue = problemWith(5610, 'OfflineConversionValueInvalid', 'The conversion value is invalid.');
const badCurrency = problemWith(5611, 'OfflineConversionCurrencyCodeInvalid', 'The currency code is invalid.');

const text = z.string().nullish();

/** `OfflineConversion` of the Campaign Management API. */
const conversionSchema = z.strictObject({
  ConversionName: text,
  ConversionTime: text,
  ConversionValue: z.number().nullish(),
  ConversionCurrencyCode: text,
  MicrosoftClickId: text,
  HashedEmailAddress: text,
  HashedPhoneNumber: text,
  ExternalAttributionCredit: z.number().nullish(),
  ExternalAttributionModel: text,
});
type Conversion = z.infer<typeof conversionSchema>;

const timeProblem = (time: string | null | undefined, nowMs: number): Problem | undefined => {
  if (!time) return noTime;
  // in UTC, with up to seven digits of a second
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/.test(time)) return badTime;
  const timeMs = Date.parse(time);
  if (timeMs > nowMs + aheadMaxMs) return futureTime;
  return nowMs - timeMs > ageMaxMs ? oldTime : undefined;
};

const clickTimeProblem = ({ MicrosoftClickId: click, ConversionTime: time }: Conversion): Problem | undefined => {
  const clickMs = clickTimeOf(click ?? '');
  if (clickMs === undefined) return undefined;
  const timeMs = Date.parse(time ?? '');
  if (timeMs < clickMs) return earlyTime;
  return timeMs - clickMs > ageMaxMs ? staleClick : undefined;
};

const isHash = (hash: string) => /^[0-9a-f]{64}$/.test(hash) && !isHashOfNothing(hash);

const personProblem = (conversion: Conversion): Problem | undefined => {
  const { MicrosoftClickId: click, HashedEmailAddress: email, HashedPhoneNumber: phone } = conversion;
  if (!click && !email && !phone) return noClick;
  if (click && !/^[0-9a-f]{32}$/i.test(click)) return badClick;
  // no code is documented for it
  return [email, phone].every((hash) => !hash || isHash(hash)) ? undefined : invalidInput;
};

const valueProblem = ({ ConversionValue: value, ConversionCurrencyCode: currency }: Conversion) => {
  if (typeof value === 'number' && value < 0) return badValue;
  return currency && !/^[A-Z]{3}$/.test(currency) ? badCurrency : undefined;
};

/** Why Microsoft would not apply this conversion; `undefined` if it would. */
const problemOf = (sent: unknown, nowMs: number): Problem | undefined => {
  const { data } = conversionSchema.safeParse(sent);
  if (data === undefined) return invalidInput;
  if (!data.ConversionName) return noName;
  // the sandbox has every goal but those with this word
  if (data.ConversionName.includes('unknown')) return unknownName;
  // nor does a goal with this word have enhanced conversions turned on
  if (data.ConversionName.includes('click-only') && !data.MicrosoftClickId) return noClick;
  return timeProblem(data.ConversionTime, nowMs) ?? personProblem(data) ?? clickTimeProblem(data) ?? valueProblem(data);
};

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
  return ids.every((id) => /^\d+$/.test(id ?? '')) ? next() : respondWithError(response, apiFault(noHeaders));
};

const requestSchema = z.object({ OfflineConversions: z.array(z.unknown()).nullish() });
const namedSchema = z.object({ ConversionName: z.string() });

/**
 * Issues another refresh token each time. A token is refused once one that was issued for it has been used: until then its
 * owner may not have received that one. Microsoft is not as strict: its tokens last for 90 days. Tokens that were not issued
 * here are valid, for tests.
 */
const createRefreshTokens = () => {
  const issuedFor = new Map<string, string>();
  const used = new Set<string>();
  return {
    /** Undefined: the token is refused. */
    renew: (sent: string): string | undefined => {
      if (used.has(sent)) return undefined;
      const former = issuedFor.get(sent);
      if (former !== undefined) used.add(former);
      const next = `0.A${randomBytes(32).toString('base64url')}`;
      issuedFor.set(next, sent);
      return next;
    },
  };
};

/** `OfflineConversions/Apply` of the Campaign Management API, and the token endpoint of Microsoft's identity platform. */
const microsoftRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createIssuedTokens<undefined>(now, 'eyJ0eXAi', tokenLifeSeconds);
  const refreshTokens = createRefreshTokens();

  const issueToken: RequestHandler = (request, response) => {
    const { data } = tokenRequestSchema.safeParse(request.body);
    const refuse = (status: number, error: string, description: string) =>
      respondWithError(response, { status, body: { error, error_description: description } });
    if (data === undefined) return refuse(400, 'invalid_request', 'AADSTS900144: A parameter is missing or invalid.');
    if (isRevoked(data.client_secret)) return refuse(401, 'invalid_client', 'AADSTS7000215: Invalid client secret.');
    const refreshToken = isRevoked(data.refresh_token) ? undefined : refreshTokens.renew(data.refresh_token);
    if (refreshToken === undefined) {
      return refuse(400, 'invalid_grant', 'AADSTS70008: The refresh token has expired or was revoked.');
    }
    response.json({
      token_type: 'Bearer',
      scope,
      expires_in: tokenLifeSeconds,
      access_token: tokens.issue(undefined),
      refresh_token: refreshToken,
    });
  };

  const authorise: RequestHandler = (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    const developerToken = request.get('developertoken') ?? '';
    const isInvalid = token === undefined || developerToken === '' || isRevoked(token) || isRevoked(developerToken);
    if (isInvalid) return respondWithError(response, badCredentials);
    return tokens.isExpired(token) ? respondWithError(response, expiredToken) : next();
  };

  const takeConversions: RequestHandler = (request, response) => {
    const { data } = requestSchema.safeParse(request.body);
    const conversions = data?.OfflineConversions ?? [];
    if (conversions.length === 0) return respondWithError(response, apiFault(noConversions));
    if (conversions.length > conversionsMax) return respondWithError(response, apiFault(tooManyConversions));

    const problems = conversions.map((conversion, index) =>
      index === 0 && isFirstEventBad(response) ? invalidInput : problemOf(conversion, now()),
    );
    const applied = conversions.filter((_, index) => problems[index] === undefined);
    const byName = Map.groupBy(applied, (conversion) => namedSchema.parse(conversion).ConversionName);
    for (const [connection, events] of byName) received.add({ platform: 'microsoft', connection }, events);
    respondAccepted(response, {
      PartialErrors: problems.flatMap((problem, index) => (problem ? [batchError(index, problem)] : [])),
    });
  };

  return Router()
    .post(tokenPath, express.urlencoded({ extended: false }), issueToken)
    .use(
      eventsEndpoint(
        {
          path,
          platform: 'microsoft',
          behaviours,
          failures: microsoftFailureResponses,
          unreadable: () => apiFault(invalidInput),
        },
        authorise,
        requireAccount,
        takeConversions,
      ),
    );
};

export const microsoftSandbox: SandboxPlatform = {
  name: 'microsoft',
  color: 'light-dark(#107c10, #6bbf6b)',
  reportsStatus: false,
  router: microsoftRouter,
};
