import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Api, ApiError, csrfHeader, messageOf, useApi, withQuery } from '../api.ts';
import { useAccountId } from '../shell/use-account.ts';

export interface Upload {
  readonly path: string;
  readonly query: Parameters<typeof withQuery>[1];
  readonly file: File;
}

export interface Watched {
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

/** Sends a file once. */
export const upload = <Reply>(api: Api, file: Upload, watched: Watched): Promise<Reply> =>
  api.change((csrf) => send<Reply>(file, watched, csrf));

export interface Uploading {
  readonly fileName: string | undefined;
  /** From 0 to 1; undefined: nothing is sent. */
  readonly share: number | undefined;
  readonly error: Error | null;
  readonly send: (file: Upload) => void;
  readonly cancel: () => void;
}

/** Sends one file at a time, and returns the id of what it has become. Leaving the page cancels it. */
export const useUpload = (onDone: (created: { readonly id: number }) => void): Uploading => {
  const api = useApi();
  const [share, setShare] = useState(0);
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: (file: Upload) => {
      const controller = new AbortController();
      current.current = controller;
      setShare(0);
      return upload<{ readonly id: number }>(api, file, { onProgress: setShare, signal: controller.signal });
    },
    onSuccess: onDone,
  });
  return {
    fileName: variables?.file.name,
    share: isPending ? share : undefined,
    error,
    send: mutate,
    cancel: () => {
      reset();
      current.current?.abort();
    },
  };
};

/** Saves what is at a path as a file. */
const followDownload = (path: string): void => {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
};

/** Downloads a file with personal data, after the second factor if it is needed. */
export const useDownload = () => {
  const api = useApi();
  const account = useAccountId();
  return useMutation({
    mutationFn: async (path: string) => {
      await api.post(`/api/accounts/${account}/files/check`, {});
      followDownload(path);
    },
  });
};
