import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { platformSandbox } from '../src/index.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const addressSchema = z.object({ port: z.number() });

/** A sandbox on a free port, with functions for the requests of tests. */
export const serveSandbox = async (now: () => number = Date.now) => {
  const server = createServer(platformSandbox({ now })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${addressSchema.parse(server.address()).port}`;

  const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...sent,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    } satisfies HttpResponse;
  };

  return {
    url,
    request,
    behave: (behaviour: unknown) => request('PUT', '/behaviour', behaviour),
    received: async () => (await request('GET', '/events')).body,
    meta: (body: unknown, path = '/v25.0/1234567890/events') => request('POST', path, body),
    google: (body: unknown, token = 'ya29.any') =>
      request('POST', '/v1/events:ingest', body, { authorization: `Bearer ${token}` }),
    tiktok: (body: unknown, token = 'any') =>
      request('POST', '/open_api/v1.3/event/track/', body, { 'access-token': token }),
    googleStatus: (requestId: string, token = 'ya29.any') =>
      request('GET', `/v1/requestStatus:retrieve?${new URLSearchParams({ requestId }).toString()}`, undefined, {
        authorization: `Bearer ${token}`,
      }),
    linkedin: (body: unknown, token = 'any', headers: Record<string, string> = {}) =>
      request('POST', '/rest/conversionEvents', body, {
        authorization: `Bearer ${token}`,
        'linkedin-version': '202607',
        'x-restli-method': 'BATCH_CREATE',
        'x-restli-protocol-version': '2.0.0',
        ...headers,
      }),
    microsoft: (body: unknown, token = 'any', headers: Record<string, string> = {}) =>
      request('POST', '/CampaignManagement/v13/OfflineConversions/Apply', body, {
        authorization: `Bearer ${token}`,
        developertoken: 'any',
        customerid: '24601',
        customeraccountid: '8675309',
        ...headers,
      }),
    token: (fields: Record<string, string>, path = '/token') =>
      request('POST', path, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** The sandbox's clock in all tests that send fixed times. */
export const nowMs = Date.parse('2026-11-21T12:00:00Z');
