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
import { isNoClickId, isRevoked } from '../tokens.ts';
import type { Sandbox, SandboxPlatform } from '../sandbox.ts';

/** The body of every response of the API for Business. */
const tiktokBody = (code: number, message: string) => ({
  code,
  message,
  request_id: randomBytes(16).toString('hex').toUpperCase(),
  data: {},
});

/** Errors have HTTP 200 too: the code tells. */
const tiktokError = (code: number, message: string): ErrorResponse => ({
  status: 200,
  body: tiktokBody(code, message),
});

/** The request is invalid, and nothing of it was processed. */
const invalidParameter = (message: string): ErrorResponse => tiktokError(40002, message);

const badToken: ErrorResponse = tiktokError(40104, 'Access token is empty or invalid.');

const tiktokFailureResponses: FailureResponses = {
  'server-error': tiktokError(50000, 'System error.'),
  'rate-limited': {
    ...tiktokError(40100, 'Too many requests. Please retry in some time.'),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': badToken,
  'bad-event': invalidParameter('data: the sandbox was told to refuse it.'),
};

const hash = z.string('Not a valid string.').regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in 64 lower-case hex digits.');
const hashes = z.union([hash, z.array(hash).min(1)], 'Must be a SHA-256 in 64 lower-case hex digits.');

/** `user` of an event: which fields must be hashed, and which must not. */
const userSchema = z.object({
  email: hashes.optional(),
  phone: hashes.optional(),
  external_id: hashes.optional(),
  first_name: hash.optional(),
  last_name: hash.optional(),
  zip_code: hash.optional(),
  ttclid: z
    .string('Not a valid string.')
    .regex(/^[\w.~=-]{4,1000}$/, 'Must be a click id, as in the URL.')
    .refine((ttclid) => !isNoClickId(ttclid), 'Must be a click id, as in the URL.')
    .optional(),
  ttp: z
    .string('Not a valid string.')
    .regex(/^[\w.~=-]{4,1000}$/, 'Must be the id in the cookie _ttp.')
    .optional(),
  ip: z
    .string('Not a valid string.')
    .refine((text) => isIP(text) !== 0, 'Must be an IP address, as it is.')
    .optional(),
  user_agent: z.string('Not a valid string.').min(1, 'Must not be empty.').optional(),
  locale: z
    .string('Not a valid string.')
    .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/, 'Must be language[-Script][-Region] of BCP 47.')
    .optional(),
});
type User = z.infer<typeof userSchema>;

/** Whether no person could be matched: a name and a browser are not enough. */
const isTooThin = ({ ttclid, ttp, email, phone, external_id: externalId }: User): boolean =>
  [ttclid, ttp, email, phone, externalId].every((key) => key === undefined);

const text = z.string('Not a valid string.').min(1, 'Must not be empty.');
const webAddress = z.url({ protocol: /^https?$/, error: 'Not a valid URL.' });

/** An element of `data`. Undocumented fields are accepted. */
const eventSchema = z.object({
  event: text,
  event_time: z.int('Not a valid integer: seconds since 1970.'),
  event_id: text.optional(),
  user: userSchema,
  page: z.object({ url: webAddress, referrer: webAddress.optional() }, 'Not a valid object.').optional(),
  properties: z
    .object(
      {
        value: z.number('Not a valid number.').min(0, 'Must be 0 or more.').optional(),
        currency: z
          .string('Not a valid string.')
          .regex(/^[A-Z]{3}$/, 'Not a currency of ISO 4217.')
          .optional(),
        order_id: text.optional(),
        content_type: z.enum(['product', 'product_group']).optional(),
        contents: z
          .array(
            z.object({
              content_id: text.optional(),
              content_name: text.optional(),
              quantity: z.int('Not a valid integer.').optional(),
              price: z.number('Not a valid number.').optional(),
            }),
            'Not a valid list.',
          )
          .optional(),
      },
      'Not a valid object.',
    )
    .optional(),
  limited_data_use: z.boolean('Not a valid boolean.').optional(),
});
type TikTokEvent = z.infer<typeof eventSchema>;

const ageMaxSeconds = 7 * 24 * 60 * 60;
const aheadMaxSeconds = 60;

const requestSchema = z.object({
  event_source: z.enum(['web', 'app', 'offline', 'crm'], 'Must be one of: web, app, offline, crm.'),
  event_source_id: z.string('Not a valid string.').min(1, 'Must not be empty.'),
  test_event_code: z.string('Not a valid string.').min(1, 'Must not be empty.').optional(),
  data: z
    .array(eventSchema, 'Not a valid list.')
    .min(1, 'Length must be between 1 and 1000.')
    .max(1000, 'Length must be between 1 and 1000.'),
});

const troubleOf = ({ event_time: time, user }: TikTokEvent, nowSeconds: number): string | undefined => {
  if (nowSeconds - time > ageMaxSeconds) return 'event_time: More than seven days ago.';
  if (time - nowSeconds > aheadMaxSeconds) return 'event_time: Lies in the future.';
  return isTooThin(user) ? 'user: Needs one of ttclid, ttp, email, phone and external_id.' : undefined;
};

/**
 * Why TikTok would reject this request; `undefined` if TikTok would accept it. The message begins with the path of the
 * invalid field, as in `data.0.user.email: …` (as rudder-transformer reads it from the previous API).
 */
const refusalOf = (body: unknown, nowMs: number): ErrorResponse | undefined => {
  const request = requestSchema.safeParse(body, { reportInput: true });
  if (!request.success) {
    const [issue] = request.error.issues;
    const trouble = issue?.input === undefined ? 'Missing data for required field.' : issue.message;
    return invalidParameter(`${issue?.path.join('.')}: ${trouble}`);
  }
  const { event_source: source, event_source_id: pixelCode, test_event_code: testEventCode, data } = request.data;
  if (testEventCode !== undefined && data.length > 1) {
    return invalidParameter('data: Length must be 1 if test_event_code is given.');
  }
  if (source === 'web' && !/^[A-Z0-9]+$/i.test(pixelCode)) {
    return tiktokError(40001, `No permission to operate pixel code: ${pixelCode}.`);
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  for (const [index, event] of data.entries()) {
    const trouble = troubleOf(event, nowSeconds);
    if (trouble !== undefined) return invalidParameter(`data.${index}.${trouble}`);
  }
  return undefined;
};

const path = '/open_api/v1.3/event/track/';

const authorise: RequestHandler = (request, response, next) => {
  const token = request.get('access-token') ?? '';
  return token === '' || isRevoked(token) ? respondWithError(response, badToken) : next();
};

// keeps the events as sent; the schema would reorder their fields
const sentSchema = z.object({
  event_source_id: z.string(),
  test_event_code: z.string().optional(),
  data: z.array(z.unknown()),
});

/** `POST /open_api/v1.3/event/track/` of the Events API 2.0. */
const tiktokRouter = ({ received, behaviours, now }: Sandbox): Router => {
  const takeEvents: RequestHandler = (request, response) => {
    const refusal = refusalOf(request.body, now());
    if (refusal !== undefined) return respondWithError(response, refusal);
    const { event_source_id: connection, test_event_code: testEventCode, data } = sentSchema.parse(request.body);
    received.add({ platform: 'tiktok', connection, ...(testEventCode !== undefined && { testEventCode }) }, data);
    respondAccepted(response, tiktokBody(0, 'OK'));
  };

  return eventsEndpoint(
    {
      path,
      platform: 'tiktok',
      behaviours,
      failures: tiktokFailureResponses,
      unreadable: () => invalidParameter('The body is not valid JSON.'),
    },
    authorise,
    takeEvents,
  );
};

export const tiktokSandbox: SandboxPlatform = {
  name: 'tiktok',
  color: 'light-dark(#d81e4a, #ff6b8b)',
  reportsStatus: false,
  router: tiktokRouter,
};
