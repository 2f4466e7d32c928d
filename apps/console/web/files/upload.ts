import { type Api, csrfHeader, messageOf, withQuery } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';

export interface Upload {
  readonly path: string;
  readonly query: Parameters<typeof withQuery>[1];
  readonly file: File;
}

interface Watched {
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

const errorOf = (request: XMLHttpRequest): ApiError => {
  const body: unknown = request.response;
  return new ApiError(messageOf(body), {
    status: request.status,
    code: request.getResponseHeader('leadback-error') ?? undefined,
    requestId: request.getResponseHeader('x-request-id') ?? undefined,
  });
};

/** Sends a CSV file. XMLHttpRequest, because `fetch` does not tell how much was sent. */
const send = <Reply>({ path, query, file }: Upload, { onProgress, signal }: Watched, csrf: string): Promise<Reply> => {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = new XMLHttpRequest();
  request.open('POST', withQuery(path, query));
  request.setRequestHeader('content-type', 'text/csv');
  request.setRequestHeader(csrfHeader, csrf);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(total, 1)));
  request.addEventListener('load', () => {
    const isDone = request.status >= 200 && request.status < 300;
    const body: Reply = request.response;
    if (isDone) resolve(body);
    else reject(errorOf(request));
  });
  for (const event of ['error', 'abort']) request.addEventListener(event, () => reject(errorOf(request)));
  signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
};

export const upload = <Reply>(api: Api, file: Upload, watched: Watched): Promise<Reply> =>
  api.change((csrf) => send<Reply>(file, watched, csrf));
