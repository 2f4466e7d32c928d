import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import got, { RequestError } from 'got';
import { z } from 'zod';

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The response, or a short code of the network failure that quotes neither the URL nor a token. */
export type Reply = Answered | { readonly kind: 'unreachable'; readonly code: string };

export interface RequestContent {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** As it is sent. */
  readonly body?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** Finds the addresses of the host. Default: DNS. */
  readonly dnsLookup?: LookupFunction;
  /** Aborts the request at a time limit that several requests share. */
  readonly signal?: AbortSignal;
  /** For the whole request, from DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
}

/**
 * Makes one request. Does not follow redirects, does not retry, and does not read responses of more than 1 MB (see
 * `RequestTuning`). Never throws.
 */
export type MakeRequest = (method: 'GET' | 'POST', content: RequestContent) => Promise<Reply>;

interface RequestTuning {
  /** Whether a connection is used for several requests. Default: yes. */
  readonly keepAlive?: boolean;
  /**
   * Of a longer body only so many bytes are read: the status says it all. Default: it is a failure if the body is longer
   * than 1 MB; naming thousands of rejected events takes some hundred kilobytes.
   */
  readonly bodyBytesRead?: number;
  /** PEM: trusted instead of the usual certificate authorities. */
  readonly certificateAuthority?: string | undefined;
}

const codeShape = /^[A-Z][A-Z0-9_]*$/;

const unreachable = (code: string): Reply => ({ kind: 'unreachable', code });

const bodyBytesMax = 1024 * 1024;

/** The body, measured after decompression; `undefined` if it is too long. */
const textOf = async (stream: AsyncIterable<Buffer>, bytesRead: number | undefined): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytesRead !== undefined && bytes > bytesRead) break;
    if (bytes > bodyBytesMax) return undefined;
  }
  return Buffer.concat(chunks).subarray(0, bytesRead).toString();
};

const failureCode = (error: unknown): string => {
  const code = error instanceof RequestError ? error.code : '';
  if (code === 'ERR_ABORTED') return 'ETIMEDOUT'; // only the time limit aborts a request
  return codeShape.test(code) ? code : 'ERR_UNKNOWN';
};

// Shorter if the server announces when it closes an idle connection, to which Node listens only beside a limit of our own: a
// request that crosses such an end is reset, although the platform is well.
const idleMaxMs = 30_000;

// reading reports the failure; a later error event is irrelevant, and without a listener it would end the process
const ignoreError = () => {};

export const createRequest = ({
  keepAlive = true,
  bodyBytesRead,
  certificateAuthority,
}: RequestTuning = {}): MakeRequest => {
  // each connection has few concurrent requests; many slow ones must not use up the sockets of others
  const connections = { keepAlive, maxSockets: 1_024, maxFreeSockets: 64, timeout: idleMaxMs };
  const client = got.extend({
    agent: { http: new http.Agent(connections), https: new https.Agent(connections) },
    // even if the environment disables it
    https: { rejectUnauthorized: true, ...(certificateAuthority && { certificateAuthority }) },
    followRedirect: false,
    retry: { limit: 0 }, // the retry schedule lives in PostgreSQL
    throwHttpErrors: false,
    headers: { 'user-agent': 'Leadback/1.0' },
  });

  return async (method, { timeoutMs, url, ...content }) => {
    const stream = client.stream(url, { ...content, method, timeout: { request: timeoutMs } });
    stream.on('error', ignoreError);
    try {
      const body = await textOf(stream, bodyBytesRead);
      if (body === undefined || stream.response === undefined) return unreachable('ANSWER_TOO_LONG');
      const { statusCode: status, headers } = stream.response;
      return { kind: 'answered', status, headers, body };
    } catch (error) {
      return unreachable(failureCode(error));
    } finally {
      // a request whose response came before it was fully sent does not end by itself and would still time out
      stream.destroy();
    }
  };
};

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A token or secret. It is sent in a header or form; a blank or line break in it is always a copy error. */
export const secretText = (expected: string) =>
  z
    .string({ error: expected })
    .trim()
    .regex(/^[\x21-\x7e]+$/, `${expected}, in one piece without blanks`);

/** Returns `undefined` if the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
