import { z } from 'zod';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { type Processing, type ErrorResponse, respondAccepted, respondWithError, playBehaviour } from '../behaviour.ts';
import {
  quotaExceeded,
  googleFailureResponses,
  invalidArgument,
  requestId,
  unauthenticated,
  unknownRequest,
  ingestRequestSchemas,
  generalReason,
  violationOf,
  countedAs,
} from './requests.ts';
import {
  isRevoked,
  bearerToken,
  clickTimeOf,
  createIssuedTokens,
  isNoClickId,
  refreshTokenRequestSchema,
} from '../tokens.ts';
import type { Sandbox, SandboxPlatform } from '../sandbox.ts';

/** An accepted request and the status that is reported later. */
interface ProcessedRequest {
  readonly destinations: readonly unknown[];
  readonly events: number;
  readonly processing: Processing;
}

const requestsMax = 100_000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

type Counts = NonNullable<Processing['errors']>;

// int64 is a string ("JSON Mapping" of proto3)
const counted = (prefix: string, counts: Counts) =>
  counts.map(({ reason, recordCount, recordIndices }) => ({
    recordCount: String(recordCount),
    reason: reason.startsWith('PROCESSING_') ? reason : prefix + reason,
    ...(recordIndices && { recordIndices }),
  }));

/**
 * `RequestStatusPerDestination` of google/ads/datamanager/v1/request_status_per_destination.proto; `record_indices` of
 * processing_errors.proto since version 1.9.
 */
const statusOf = (destination: unknown, { events, processing }: ProcessedRequest) => {
  const { status, errors = [], warnings = [] } = processing;
  const errorCounts = counted('PROCESSING_ERROR_REASON_', errors);
  const warningCounts = counted('PROCESSING_WARNING_REASON_', warnings);
  return {
    destination,
    requestStatus: status,
    ...(errors.length > 0 && { errorInfo: { errorCounts } }),
    ...(warnings.length > 0 && { warningInfo: { warningCounts } }),
    eventsIngestionStatus: { recordCount: String(events) },
  };
};

interface Consent {
  readonly adUserData?: string | undefined;
}

type ClickIds = Readonly<Partial<Record<'gclid' | 'gbraid' | 'wbraid', string | undefined>>>;

interface TakenEvents {
  readonly events: readonly {
    readonly eventTimestamp: string;
    readonly adIdentifiers?: ClickIds | undefined;
    readonly consent?: Consent | undefined;
  }[];
  /** Of the request; applies to events that have none of their own. */
  readonly consent?: Consent | undefined;
}

// neither a template that nobody filled, nor the value of the cookie `_gcl_aw`
const isDecodable = (clickId: string) =>
  /^[\w.=-]+$/.test(clickId) && !clickId.startsWith('GCL.') && !isNoClickId(clickId);

/** Why Google cannot use the click of an event. */
const clickFaultOf = ({ gclid, gbraid, wbraid }: ClickIds = {}, eventMs: number): string | undefined => {
  const first = Object.entries({ gclid, gbraid, wbraid }).find(([, clickId]) => clickId !== undefined);
  if (first === undefined) return undefined;
  const [name, clickId = ''] = first;
  if (!isDecodable(clickId)) return `INVALID_${name.toUpperCase()}`;
  return (clickTimeOf(clickId) ?? eventMs) > eventMs ? 'CONVERSION_PRECEDES_CLICK' : undefined;
};

/**
 * The status that Google would report: it accepts events that are too old, deny consent or have a click id that it cannot decode,
 * but cannot use them.
 */
const processingOf = ({ events, consent }: TakenEvents, nowMs: number): Processing => {
  const faultOf = (event: TakenEvents['events'][number]) => {
    const eventMs = Date.parse(event.eventTimestamp);
    if (nowMs - eventMs > ageMaxMs) return 'EVENT_TOO_OLD';
    if ((event.consent ?? consent)?.adUserData === 'CONSENT_DENIED') return 'DENIED_CONSENT';
    return clickFaultOf(event.adIdentifiers, eventMs);
  };
  const faults = events.flatMap((event, index) => {
    const reason = faultOf(event);
    return reason === undefined ? [] : [{ reason, index }];
  });
  if (faults.length === 0) return { status: 'SUCCESS' };
  return {
    status: faults.length === events.length ? 'FAILED' : 'PARTIAL_SUCCESS',
    errors: [...Map.groupBy(faults, ({ reason }) => reason)].map(([reason, own]) => ({
      reason,
      recordCount: own.length,
      recordIndices: own.map(({ index }) => index),
    })),
  };
};

/** Accepted requests by id, at most 100,000; then the oldest are removed. */
const createProcessedRequests = () => {
  const requests = new Map<string, ProcessedRequest>();
  return {
    add: (id: string, request: ProcessedRequest) => {
      requests.set(id, request);
      for (const oldest of requests.keys()) {
        if (requests.size <= requestsMax) return;
        requests.delete(oldest);
      }
    },
    /** The response to `requestStatus:retrieve`; `undefined` if there is no such request. */
    statusOf: (id: string) => {
      const request = requests.get(id);
      return request && { requestStatusPerDestination: request.destinations.map((one) => statusOf(one, request)) };
    },
  };
};

const quotaRequestsMax = 300;
const windowMs = 60_000;

/**
 * Counts the requests of each project ("Limits and quotas" of the Data Manager API). Returns a function that counts one
 * more, or returns the error of a used-up quota.
 */
const createQuota = (now: () => number): ((project: string) => ErrorResponse | undefined) => {
  const taken = new Map<string, number[]>();
  return (project) => {
    const nowMs = now();
    const times = (taken.get(project) ?? []).filter((timeMs) => timeMs > nowMs - windowMs);
    taken.set(project, times);
    const [oldestMs = nowMs] = times;
    if (times.length >= quotaRequestsMax) return quotaExceeded(oldestMs + windowMs - nowMs);
    times.push(nowMs);
    return undefined;
  };
};

const lifeMaxSeconds = 3600;
const aheadMaxSeconds = 300;

const headerSchema = z.object({ alg: z.literal('RS256'), typ: z.literal('JWT'), kid: z.string().min(1).optional() });
const claimsSchema = z.object({
  iss: z.email(),
  scope: z.literal('https://www.googleapis.com/auth/datamanager'),
  aud: z.literal('https://oauth2.googleapis.com/token'),
  iat: z.int(),
  exp: z.int(),
});

type Assertion =
  | { readonly kind: 'good'; readonly project: string }
  /** Google's own error message, if it is known. */
  | { readonly kind: 'bad'; readonly fault: string };

const bad = (fault: string): Assertion => ({ kind: 'bad', fault });

const jsonOf = (part: string | undefined): unknown => {
  try {
    return JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
};

const projectOf = (email: string) => /@([a-z0-9-]+)\.iam\.gserviceaccount\.com$/.exec(email)?.[1] ?? email;

/**
 * Whether Google would accept the assertion of a service account (RFC 7523), and for which project. Only the form of
 * the signature is checked, because the sandbox has no public key.
 */
const judgeAssertion = (assertion: string, nowMs: number): Assertion => {
  const [header, claims, signature, ...more] = assertion.split('.');
  const { data } = claimsSchema.safeParse(jsonOf(claims));
  if (more.length > 0 || !headerSchema.safeParse(jsonOf(header)).success || data === undefined) {
    return bad('Invalid JWT: Failed audience or scope check, or malformed.');
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  const isTimely = data.iat <= nowSeconds + aheadMaxSeconds && data.exp > nowSeconds;
  if (!isTimely || data.exp - data.iat > lifeMaxSeconds) {
    return bad(
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    );
  }
  // a signature by a key of 2048 bits or more
  if (!/^[\w-]{342,}$/.test(signature ?? '')) return bad('Invalid JWT Signature.');
  if (isRevoked(data.iss)) return bad('Invalid grant: account not found');
  return { kind: 'good', project: projectOf(data.iss) };
};

const lifeSeconds = 3600;

const requestSchema = z.discriminatedUnion('grant_type', [
  refreshTokenRequestSchema,
  z.object({
    grant_type: z.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
    assertion: z.string().min(1),
  }),
]);

/** The number at the beginning of a client id; without one the client has a quota of its own. */
const projectOfClient = (clientId: string) => /^(\d+)-/.exec(clientId)?.[1] ?? clientId;

type TokenRequest =
  | { readonly kind: 'good'; readonly project: string }
  | { readonly kind: 'refused'; readonly refusal: ErrorResponse };

const refused = (status: number, error: string, description: string): TokenRequest => ({
  kind: 'refused',
  refusal: { status, body: { error, error_description: description } },
});

/** Whether Google would issue a token, and for which project (RFC 6749, section 5.2). */
const judgeTokenRequest = (body: unknown, nowMs: number): TokenRequest => {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) return refused(400, 'invalid_request', 'Missing or unknown parameter.');
  if ('assertion' in data) {
    const judged = judgeAssertion(data.assertion, nowMs);
    return judged.kind === 'good' ? judged : refused(400, 'invalid_grant', judged.fault);
  }
  if (isRevoked(data.client_secret)) return refused(401, 'invalid_client', 'The OAuth client was not found.');
  if (isRevoked(data.refresh_token)) return refused(400, 'invalid_grant', 'Token has been expired or revoked.');
  return { kind: 'good', project: projectOfClient(data.client_id) };
};

/** Issues access tokens like Google's OAuth. */
const createTokens = (now: () => number) => {
  const issued = createIssuedTokens<string>(now, 'ya29.', lifeSeconds);
  return {
    issue: (project: string) => ({
      access_token: issued.issue(project),
      expires_in: lifeSeconds,
      scope: 'https://www.googleapis.com/auth/datamanager',
      token_type: 'Bearer',
    }),
    isExpired: issued.isExpired,
    /** The project whose quota counts requests with this token; a token from elsewhere has its own. */
    projectOf: (token: string): string => issued.ownerOf(token) ?? token,
  };
};

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
  respondWithError(response, invalidArgument([notJson]));
};

const unreadableForm: ErrorRequestHandler = (_error, _request, response, _next) => {
  respondWithError(response, { status: 400, body: { error: 'invalid_request' } });
};

/** `events:ingest` and `requestStatus:retrieve` of the Data Manager API, and Google's token endpoint. */
const googleRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const tokens = createTokens(now);
  const takeOfQuota = createQuota(now);
  const processed = createProcessedRequests();
  const schemaOf = ingestRequestSchemas(now);
  const play = playBehaviour('google', behaviours, googleFailureResponses);

  const issueToken: RequestHandler = (request, response) => {
    const asked = judgeTokenRequest(request.body, now());
    if (asked.kind === 'refused') return respondWithError(response, asked.refusal);
    response.json(tokens.issue(asked.project));
  };

  const authorise: RequestHandler = (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined || isRevoked(token) || tokens.isExpired(token)) {
      return respondWithError(response, unauthenticated);
    }
    const refusal = takeOfQuota(tokens.projectOf(token));
    return refusal === undefined ? next() : respondWithError(response, refusal);
  };

  const takeEvents: RequestHandler = (request, response) => {
    const body: unknown = request.body;
    const ingest = schemaOf(body).safeParse(body, { error: generalReason });
    if (!ingest.success) return respondWithError(response, invalidArgument(ingest.error.issues.map(violationOf)));

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
    const { fieldWarnings = [] } = behaviours.processing('google') ?? {};
    respondAccepted(response, { requestId: id, ...(fieldWarnings.length > 0 && { fieldWarnings }) });
  };

  const tellStatus: RequestHandler = (request, response) => {
    const { requestId: id } = request.query;
    if (typeof id !== 'string' || id === '') return respondWithError(response, invalidArgument([noRequestId]));
    const status = processed.statusOf(id);
    if (status === undefined) return respondWithError(response, unknownRequest);
    respondAccepted(response, status);
  };

  return Router()
    .post('/token', express.urlencoded({ extended: false }), issueToken)
    .use('/token', unreadableForm)
    .get(statusPath, play, authorise, tellStatus)
    .post(path, express.json({ limit: '16mb' }), play, authorise, takeEvents)
    .use(path, unreadable);
};

export const googleSandbox: SandboxPlatform = {
  name: 'google',
  color: 'light-dark(#188038, #5bb974)',
  reportsStatus: true,
  countedAs,
  router: googleRouter,
};
