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
      refusals: [
        'invalid-json',
        'invalid-fields',
        'key-missing',
        'key-invalid',
        'key-expired',
        'account-suspended',
        'rate-limited',
        'internal',
        'unavailable',
        'overloaded',
      ],
      replyHeaders: {
        'x-request-id': 'The id of the request: yours if you sent one, otherwise a new one.',
        'RateLimit-Policy': 'Size of the bucket `q` and the seconds `w` that fill it.',
        RateLimit: 'Requests left `r`, and the seconds `t` until the bucket is full.',
      },
      waitHeaders: { 'Retry-After': 'The seconds after which to try again.' },
    },
    endpoints,
  );
