import http from 'node:http';
import https from 'node:https';
import got, { RequestError } from 'got';

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** What came back: an answer, or a short code of the network's failure that quotes neither the address nor a token. */
export type Reply = Answered | { readonly kind: 'unreachable'; readonly code: string };

export interface RequestContent {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Ends the request at a time that it shares with others. */
  readonly signal?: AbortSignal;
  /** For everything, from the name's look-up to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** Makes one request, once: redirects are not followed, failures not repeated, long answers not read. Never throws. */
export type MakeRequest = (method: 'GET' | 'POST', content: RequestContent) => Promise<Reply>;

// thousands of refused events take some hundred kilobytes to name
const bodyBytesMax = 1024 * 1024;
const codeShape = /^[A-Z][A-Z0-9_]*$/;

const unreachable = (code: string): Reply => ({ kind: 'unreachable', code });

/** The text of an answer, counted after decompression; `undefined` where it is too long, and the rest stays unread. */
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
  if (code === 'ERR_ABORTED') return 'ETIMEDOUT'; // nothing else ends a request early
  return codeShape.test(code) ? code : 'ERR_UNKNOWN';
};

// what is wrong is told by reading; an error that comes after that concerns nobody, and unheard would end the process
const ignoreError = () => {};

export const createRequest = (): MakeRequest => {
  // a connection has few requests at a time; many that are slow must not use up the sockets of the others
  const connections = { keepAlive: true, maxSockets: 1_024, maxFreeSockets: 64 };
  const client = got.extend({
    agent: { http: new http.Agent(connections), https: new https.Agent(connections) },
    https: { rejectUnauthorized: true }, // also where the environment says otherwise
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
      // one that was answered before it was all sent does not end by itself, and would still hear of its time limit
      stream.destroy();
    }
  };
};
