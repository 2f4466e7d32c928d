import { type EndpointDescription, openApiDocument } from '@leadback/http';
import { guide } from './guide.ts';

/** The document of the API: the guide, and every endpoint by the schemas that it works with. */
export const apiDocument = (endpoints: readonly EndpointDescription[]) =>
  openApiDocument(
    {
      title: 'Leadback: clients and conversions',
      version: '1.0.0',
      description: guide,
      basePath: '/api/v1',
      keyHeader: { name: 'x-api-key', description: 'Your API key, issued by the operator of the service.' },
      refusals: {
        400: 'Something in the request is wrong; the message names the field.',
        401: 'The API key is missing, wrong, revoked or expired.',
        403: 'The account is suspended.',
        413: 'The body is larger than 64 KiB.',
        415: 'The body is not JSON in UTF-8, or compressed.',
        429: 'Too many requests with this key, or too many wrong keys from this address; see `Retry-After`.',
        500: 'Our fault, and logged under the `x-request-id`.',
        503: 'Not available right now; repeat after `Retry-After` seconds.',
      },
      replyHeaders: {
        'x-request-id': 'The id of the request: your own where you sent one, else one of ours.',
        'RateLimit-Policy': 'Size of the bucket `q` and the seconds `w` that fill it.',
        RateLimit: 'Requests left `r`, and the seconds `t` until the bucket is full.',
      },
    },
    endpoints,
  );
