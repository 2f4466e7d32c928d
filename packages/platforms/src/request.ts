import http from 'node:http';
import https from 'node:https';
import got, { RequestError } from 'got';

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
  readonly form?: Readonly<Record<string, string>>;
  /** Aborts the request at a time limit that several requests share. */
  readonly signal?: AbortSignal;
  /** For the whole request, from DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
}

/**
 * Makes one request. Does not follow redirects, does not retry, and does not read responses of more than 1 MB. Never
 * throws.
 */
export type MakeRequest = (method: 'GET' | 'POST', content: RequestContent) => Promise<Reply>;

// naming thousands of rejected events takes some hundred kilobytes
const bodyBytesMax = 1024 * 1024;
const codeShape = /^[A-Z][A-Z0-9_]*$/;

const unreachable = (code: string): Reply => ({ kind: 'unreachable', code });

/** The body, measured after decompression; `undefined` if it is too long. */
const textOf = async (stream: AsyncIterable<Buffer>): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
  }
  return Buffer.concat(chunks).toString();
};

const failureCode = (error: unknown): string => {
  const code = error instanceof RequestError ? error.code : '';
  if (code === 'ERR_ABORTED') return 'ETIMEDOUT'; // only the time limit aborts a request
  return codeShape.test(code) ? code : 'ERR_UNKNOWN';
};

// reading reports the failure; a later error event is irrelevant, and without a listener it would end the process
const ignoreError = () => {};

export const createRequest = (): MakeRequest => {
  // each connection has few concurrent requests; many slow ones must not use up the sockets of others
  const connections = { keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64 };
  const client = got.extend({
    agent: { http: new http.Agent(connections), https: new https.Agent(connections) },
    https: { rejectUnauthorized: true }, // even if the environment disables it
    followRedirect: false,
    retry: { limit: 0 }, // the retry schedule lives in PostgreSQL
    throwHttpErrors: false,
    headers: { 'user-agent': 'Leadback/1.0' },
  });

  return async (method, { timeoutMs, url, ...content }) => {
    const stream = client.stream(url, { ...content, method, timeout: { request: timeoutMs } });
    stream.on('error', ignoreError);
    try {
      const body = await textOf(stream);
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
