import { type EndpointDescription, openApiDocument } from '@leadback/http';
import { guide } from './guide.ts';

export const apiDocument = (endpoints: readonly EndpointDescription[]) =>
  openApiDocument(
    {
      title: 'Leadback: clients and conversions',
      version: '1.0.0',
      description: guide,
      basePath: '/api/v1',
      keyHeader: { name: 'x-api-key', description: 'Your API key, issued by the operator of the service.' },
      refusals: {
        400: {
          codes: ['invalid-json', 'invalid-fields'],
          meaning: 'The request has an error; the message names the field.',
          message: 'body: expected valid JSON',
        },
        401: {
          codes: ['key-missing', 'key-invalid', 'key-expired'],
          meaning: 'The API key is missing, invalid, revoked or expired.',
          message: 'x-api-key: the header is missing',
        },
        403: {
          codes: ['account-suspended'],
          meaning: 'The account is suspended.',
          message: 'the account is suspended',
        },
        413: {
          codes: ['body-too-large'],
          meaning: 'The body is larger than 64 KiB.',
          message: 'body: larger than 64 KiB',
        },
        415: {
          codes: ['unsupported-media-type'],
          meaning: 'The body is not JSON in UTF-8, or compressed.',
          message: 'Content-Type: expected application/json',
        },
        429: {
          codes: ['rate-limited'],
          meaning: 'Too many requests with this key, or too many invalid keys from this IP address.',
          message: 'more than 200 requests a second with this key; try again in 1 s',
        },
        500: {
          codes: ['internal'],
          meaning: 'An internal error, logged under the `x-request-id`.',
          message: 'internal error; give support the x-request-id',
        },
        503: {
          codes: ['unavailable', 'overloaded'],
          meaning: 'Temporarily unavailable.',
          message: 'not available right now; try again later',
        },
      },
      replyHeaders: {
        'x-request-id': 'The id of the request: yours if you sent one, otherwise a new one.',
        'RateLimit-Policy': 'Size of the bucket `q` and the seconds `w` that fill it.',
        RateLimit: 'Requests left `r`, and the seconds `t` until the bucket is full.',
      },
      waitHeaders: { 'Retry-After': 'The seconds after which to try again.' },
    },
    endpoints,
  );
