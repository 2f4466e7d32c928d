import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { RequestHandler, Router } from 'express';
import {
  type ErrorResponse,
  type FailureResponses,
  respondAccepted,
  respondWithError,
  eventsEndpoint,
} from '../behaviour.ts';
import { isHashOfNothing } from '../events.ts';
import { bearerToken, isNoClickId, isRevoked } from '../tokens.ts';
import type { Sandbox, SandboxPlatform } from '../sandbox.ts';

interface MetaProblem {
  readonly code: number;
  readonly message: string;
  readonly subcode?: number;
  readonly type?: string;
  readonly isTransient?: boolean;
  readonly title?: string;
  readonly words?: string;
}

const fbtraceId = (): string => `A${randomBytes(16).toString('base64url')}`;

/** The error body of the Graph API ("error handling"). */
const metaError = (
  status: number,
  { code, message, subcode, type = 'OAuthException', isTransient = false, title, words }: MetaProblem,
): ErrorResponse => ({
  status,
  body: {
    error: {
      message,
      type,
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      is_transient: isTransient,
      ...(title === undefined ? {} : { error_user_title: title }),
      ...(words === undefined ? {} : { error_user_msg: words }),
      fbtrace_id: fbtraceId(),
    },
  },
});

/** Code 100: the request is invalid, and nothing of it was processed. */
const invalidParameter = (words: string, subcode?: number, title?: string): ErrorResponse =>
  metaError(400, {
    code: 100,
    message: 'Invalid parameter',
    words,
    ...(subcode === undefined ? {} : { subcode }),
    ...(title === undefined ? {} : { title }),
  });

const revokedToken: ErrorResponse = metaError(400, {
  code: 190,
  subcode: 460,
  message: 'Error validating access token: the session has been invalidated',
});

const metaFailureResponses: FailureResponses = {
  'server-error': metaError(503, { code: 2, message: 'Service temporarily unavailable', isTransient: true }),
  'rate-limited': {
    ...metaError(429, { code: 4, message: '(#4) Application request limit reached', isTransient: true }),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': revokedToken,
  'bad-event': invalidParameter('data[0]: the sandbox was told to refuse it'),
};

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const hashOfSomething = hash.refine((text) => !isHashOfNothing(text));
const oneOrMore = (one: z.ZodString, error: string) => z.union([z.array(one).min(1), one], error);

const hashes = oneOrMore(hash, 'must be a SHA-256 in 64 lower-case hex digits, or a list of them');
const identifiers = oneOrMore(
  hashOfSomething,
  'must be a SHA-256 in 64 lower-case hex digits, and not that of an empty value, or a list of them',
);

const mark = z
  .string()
  .regex(
    /^fb\.\d+\.\d+\.[^.\s]+(\.[\w-]{2,8})?$/,
    'must read fb.<subdomain index>.<milliseconds>.<id>, as in the cookie',
  );

const browserMark = mark.regex(
  /^fb\.\d+\.\d{13}\.\d{1,20}(\.[\w-]{2,8})?$/,
  'must read fb.<subdomain index>.<milliseconds>.<random number>, as in the cookie',
);

/** "Customer information parameters": which must be hashed, and which must not. */
const userDataSchema = z.object({
  em: identifiers.optional(),
  ph: identifiers.optional(),
  fn: identifiers.optional(),
  ln: identifiers.optional(),
  ge: hashes.optional(),
  db: hashes.optional(),
  ct: hashes.optional(),
  st: hashes.optional(),
  zp: hashes.optional(),
  country: hashes.optional(),
  external_id: hashes.optional(),
  client_ip_address: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address, as it is')
    .optional(),
  client_user_agent: z
    .string()
    .min(1)
    .refine((text) => !/^[0-9a-f]{64}$/i.test(text), 'must not be hashed')
    .optional(),
  fbc: mark.refine((fbc) => !isNoClickId(fbc.split('.')[3] ?? ''), 'must have the id of a click').optional(),
  fbp: browserMark.optional(),
});
type UserData = z.infer<typeof userDataSchema>;

/** Whether no person could be matched: names, places and a browser alone are not enough. */
const isTooThin = (data: UserData): boolean => {
  const browser = data.client_ip_address !== undefined && data.client_user_agent !== undefined;
  return !browser && [data.em, data.ph, data.external_id, data.fbc, data.fbp].every((key) => key === undefined);
};

const actionSources = [
  'email',
  'website',
  'app',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
] as const;

const webAddress = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' });

const customerSegments = [
  ...['to_business', 'to_business_line', 'to_product_area', 'to_medium'].flatMap((whom) => [
    `new_customer_${whom}`,
    `existing_customer_${whom}`,
  ]),
  'customer_in_loyalty_program',
];

/** "Server event parameters". Undocumented fields are accepted, as by Meta. */
const eventSchema = z.object({
  event_name: z.string().min(1),
  event_time: z.int({ error: 'must be whole seconds since 1970' }),
  event_id: z.string().min(1).optional(),
  action_source: z.enum(actionSources),
  event_source_url: webAddress.optional(),
  referrer_url: webAddress.optional(),
  opt_out: z.boolean().optional(),
  data_processing_options: z.array(z.literal('LDU')).optional(),
  data_processing_options_country: z.literal([0, 1]).optional(),
  data_processing_options_state: z.int().min(0).optional(),
  user_data: userDataSchema,
  custom_data: z
    .object({
      value: z.number().min(0).optional(),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217 in three capitals')
        .optional(),
      order_id: z.string().min(1).optional(),
      content_type: z.enum(['product', 'product_group']).optional(),
      contents: z
        .array(
          z.object({
            id: z.string().min(1),
            quantity: z.int().min(1).optional(),
            item_price: z.number().min(0).optional(),
          }),
        )
        .optional(),
      customer_segmentation: z.enum(customerSegments).optional(),
    })
    .optional(),
});
type MetaEvent = z.infer<typeof eventSchema>;

const daySeconds = 24 * 60 * 60;
const ageMaxSeconds = 7 * daySeconds;
const storeAgeMaxSeconds = 62 * daySeconds;
const aheadMaxSeconds = 60;
// clocks differ
const clickAheadMaxSeconds = 5 * 60;

/** A click that came after the event cannot have caused it; Meta rejects such a creation time. */
const isClickLater = ({ event_time: time, user_data: { fbc } }: MetaEvent): boolean =>
  fbc !== undefined && Number(fbc.split('.')[2]) / 1_000 > time + clickAheadMaxSeconds;

const requestSchema = z.object({
  data: z.array(eventSchema).min(1, 'must hold an event').max(1000, 'must hold at most 1000 events'),
  test_event_code: z.string().min(1).optional(),
});

const refusalOfEvent = (event: MetaEvent, index: number, nowSeconds: number): ErrorResponse | undefined => {
  const at = `data[${index}]`;
  const ageSeconds = nowSeconds - event.event_time;
  if (ageSeconds > (event.action_source === 'physical_store' ? storeAgeMaxSeconds : ageMaxSeconds)) {
    return invalidParameter(`${at}.event_time: more than seven days ago`, 2804003, 'Event Timestamp Too Old');
  }
  if (-ageSeconds > aheadMaxSeconds) {
    return invalidParameter(`${at}.event_time: lies in the future`);
  }
  if (isClickLater(event)) {
    return invalidParameter(`${at}.user_data.fbc: its click is later than the event`, 2804001, 'Invalid Click Time');
  }
  if (isTooThin(event.user_data)) {
    return invalidParameter(`${at}.user_data: matches no person`, 2804050, 'Insufficient Customer Information');
  }
  if (event.action_source === 'website' && event.user_data.client_user_agent === undefined) {
    return invalidParameter(`${at}.user_data.client_user_agent: required of a website event`);
  }
  if (event.action_source === 'website' && event.event_source_url === undefined) {
    return invalidParameter(`${at}.event_source_url: required of a website event`);
  }
  const { value, currency } = event.custom_data ?? {};
  if (event.event_name === 'Purchase' && (value === undefined || currency === undefined)) {
    return invalidParameter(`${at}.custom_data: a Purchase needs value and currency`);
  }
  return undefined;
};

/** Why Meta would reject this request: one invalid event is enough. `undefined` if Meta would accept it. */
const refusalOf = (body: unknown, nowMs: number): ErrorResponse | undefined => {
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    const [issue] = request.error.issues;
    return invalidParameter(`${z.core.toDotPath(issue?.path ?? [])}: ${issue?.message}`);
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  return request.data.data.map((event, index) => refusalOfEvent(event, index, nowSeconds)).find(Boolean);
};

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
    return respondWithError(response, metaError(400, { code: 104, message }));
  }
  return isRevoked(token) ? respondWithError(response, revokedToken) : next();
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
  return respondWithError(response, metaError(400, { code: 100, type: 'GraphMethodException', message }));
};

const requirePixel: RequestHandler = (request, response, next) => {
  const pixelId = String(request.params['pixelId']);
  if (/^\d+$/.test(pixelId)) return next();
  const message = `Unsupported post request. Object with ID '${pixelId}' does not exist, or cannot be loaded due to missing permissions`;
  return respondWithError(response, metaError(400, { code: 100, subcode: 33, type: 'GraphMethodException', message }));
};

const sentSchema = z.object({ data: z.array(z.unknown()), test_event_code: z.string().optional() });

/** `POST /v25.0/{pixel id}/events` of the Conversions API. */
const metaRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return respondWithError(response, refusal);
    const { data: events, test_event_code: testEventCode } = sentSchema.parse(request.body);
    const connection = String(request.params['pixelId']);
    received.add({ platform: 'meta', connection, ...(testEventCode !== undefined && { testEventCode }) }, events);
    respondAccepted(response, { events_received: events.length, messages: [], fbtrace_id: fbtraceId() });
  };

  return eventsEndpoint(
    {
      path,
      platform: 'meta',
      behaviours,
      failures: metaFailureResponses,
      unreadable: () => invalidParameter('the body is not JSON'),
    },
    authorise,
    checkProof,
    requirePixel,
    takeEvents,
  );
};

export const metaSandbox: SandboxPlatform = {
  name: 'meta',
  color: 'light-dark(#0866ff, #5b9bff)',
  reportsStatus: false,
  router: metaRouter,
};
