import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { givenServer, type TestServer } from '@leadback/testing';
import { z } from 'zod';

export const responseSchema = z.union([
  /** `silence`: no response. `truncated`: a body that ends too early. `endless`: a byte now and then. */
  z.enum(['reset', 'silence', 'truncated', 'endless']),
  z.strictObject({
    status: z.number(),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
    text: z.string().optional(),
  }),
]);

export type ScriptedResponse = z.infer<typeof responseSchema>;

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly receivedAtMs: number;
}

export interface ScriptedApi extends TestServer {
  readonly requests: readonly ReceivedRequest[];
}

const drip = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

const respond = (response: ServerResponse, scripted: ScriptedResponse) => {
  if (scripted === 'silence') return;
  if (scripted === 'reset') return void response.socket?.destroy();
  if (scripted === 'endless') return drip(response);
  if (scripted === 'truncated') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    return void response.write('{"id": 7', () => response.socket?.destroy());
  }
  const { status, headers, body, text: plain = JSON.stringify(body) } = scripted;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(plain);
};

/** Stands in for the API: responds to each request with what `next` returns for it. */
export const givenScriptedApi = async (
  next: (request: ReceivedRequest, index: number) => ScriptedResponse,
): Promise<ScriptedApi> => {
  const requests: ReceivedRequest[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const receivedAtMs = performance.now();
    const { method, url = '', headers } = request;
    const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
    const received = { method, url, query, headers, text: await text(request), receivedAtMs };
    requests.push(received);
    respond(response, next(received, requests.length - 1));
  };
  const server = await givenServer((request, response) => {
    void take(request, response);
  });
  return { ...server, requests };
};
