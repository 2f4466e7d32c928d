import { type EndpointDescription, openApiDocument } from '@leadback/server/http';

const introduction = `Report sales from your backend in two API calls. Leadback tells the platforms that you advertise on (Meta,
Google Ads, TikTok, LinkedIn, Microsoft Advertising) which click led to each sale. The guide, the rules of all requests, and
every error code are at /docs of the same host.`;

export const apiDocument = (endpoints: readonly EndpointDescription[]) =>
  openApiDocument(
    {
      title: 'Leadback: clients and conversions',
      version: '1.2.0',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator who issued your API key' },
      basePath: '/api/v1',
      subjects: {
        'API key': 'Check that your key works.',
        Leads: 'Clicks on pages of your own.',
        Clients: 'The persons behind lead references.',
        Conversions: 'Sales of clients, and their delivery to the platforms of your account.',
        Imports: 'CSV files of clients or conversions, and the outcome of each row.',
        Reconciliation: 'Your list of sales beside the registered ones.',
        Webhooks: 'Endpoints of yours that are told what happens.',
        Reports: 'What would help platforms to match more conversions.',
      },
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
