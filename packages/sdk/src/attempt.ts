import type { Settings } from './settings.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** JSON. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An attempt took longer than `timeoutMs`. */
export class AttemptTimeout extends Error {}

const urlOf = (baseUrl: string, { path, query = {} }: ApiRequest): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return `${baseUrl}${path}${text && `?${text}`}`;
};

/** One attempt, up to the end of its body. Rejects if there is no whole response, and as `signal` says if it is aborted. */
export const attempt = async (settings: Settings, request: ApiRequest): Promise<ApiReply> => {
  const { method, body, idempotencyKey, signal } = request;
  const stop = new AbortController();
  const exchange = async (): Promise<ApiReply> => {
    const response = await settings.fetch(urlOf(settings.baseUrl, request), {
      method,
      headers: {
        'x-api-key': settings.apiKey,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      // a redirect would send the key to another host
      redirect: 'manual',
      signal: stop.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  // not every `fetch` heeds its signal
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  const onAbort = () => stop.abort(signal?.reason);
  const timer = setTimeout(() => stop.abort(new AttemptTimeout()), settings.timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([exchange(), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};
