import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Capability, ConsoleErrorCode, SessionReply } from '../src/contract/session.ts';
import type { CommonTexts } from './text/common.ts';

/** What is wrong with one field of a form. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

interface Refused {
  readonly status: number;
  /** The header `Leadback-Error`; undefined if a proxy responded. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly problems?: readonly FieldProblem[] | undefined;
}

/** A response that is no success, or none at all: then `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** Of each field, if the server names them. */
  readonly problems: readonly FieldProblem[];

  constructor(message: string, { status, code, requestId, problems = [] }: Refused) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.problems = problems;
  }

  is(code: ConsoleErrorCode): boolean {
    return this.code === code;
  }
}

export const csrfHeader = 'x-leadback-csrf';
const timeoutMs = 30_000;

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The console's server. `Reply` is what the contract of the path says: server and web are built together. */
export interface Api {
  readonly get: <Reply>(path: string, query?: Query, signal?: AbortSignal) => Promise<Reply>;
  /** `body`: sent as JSON; a file as it is. */
  readonly post: <Reply>(path: string, body: object) => Promise<Reply>;
  /** Sends a request of another shape with the token that changes need, as `post` does. */
  readonly change: <Reply>(send: (csrf: string) => Promise<Reply>) => Promise<Reply>;
  /** As `post`, for requests whose reply is the new session. */
  readonly postSession: (path: string, body: object) => Promise<SessionReply>;
  readonly session: () => Promise<SessionReply>;
  /** The token of the session, for a form; undefined before the first request that needs it. */
  readonly token: () => string | undefined;
}

export const withQuery = (path: string, query: Query = {}): string => {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
};

export const messageOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : '';

/** A body of 422 has them, by its contract. */
const problemsOf = (body: { readonly problems?: readonly FieldProblem[] } | undefined) => body?.problems;

const fetched = async (path: string, init: RequestInit): Promise<Response> => {
  const ended = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, ended]) : ended;
  try {
    return await fetch(path, { ...init, signal, credentials: 'same-origin' });
  } catch (error) {
    init.signal?.throwIfAborted();
    throw new ApiError(error instanceof Error ? error.message : '', {
      status: 0,
      code: undefined,
      requestId: undefined,
    });
  }
};

const send = async <Reply>(path: string, init: RequestInit): Promise<Reply> => {
  const response = await fetched(path, init);
  if (response.ok) {
    const body: Reply = await response.json();
    return body;
  }
  const body = await response.json().catch(() => undefined);
  throw new ApiError(messageOf(body), {
    status: response.status,
    code: response.headers.get('leadback-error') ?? undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    problems: response.status === 422 ? problemsOf(body) : undefined,
  });
};

const isCode = (error: unknown, code: ConsoleErrorCode): boolean => error instanceof ApiError && error.is(code);

interface ApiOptions {
  /** The session has ended in the middle of something. */
  readonly onSignedOut: () => void;
  /** Asks for the second factor; false: the person does not give it. */
  readonly askSecondFactor: () => Promise<boolean>;
}

export const createApi = ({ onSignedOut, askSecondFactor }: ApiOptions): Api => {
  let csrf: string | undefined;
  const keep = (session: SessionReply): SessionReply => {
    csrf = session.csrf;
    return session;
  };
  const session = async () => keep(await send<SessionReply>('/api/session', {}));

  const noticed = async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    try {
      return await reply;
    } catch (error) {
      if (isCode(error, 'signed-out')) onSignedOut();
      throw error;
    }
  };

  const withToken = async <Reply>(sendWith: (token: string) => Promise<Reply>): Promise<Reply> => {
    csrf ??= (await session()).csrf;
    try {
      return await sendWith(csrf);
    } catch (error) {
      if (!isCode(error, 'cross-site')) throw error;
      // the value is that of another session: the person has signed in again in another tab
      return sendWith((await session()).csrf);
    }
  };

  const post = <Reply>(path: string, body: object): Promise<Reply> =>
    withToken((token) => {
      const isFile = body instanceof Blob;
      const headers = { 'content-type': isFile ? body.type : 'application/json', [csrfHeader]: token };
      return send<Reply>(path, { method: 'POST', headers, body: isFile ? body : JSON.stringify(body) });
    });

  const steppedUp = async <Reply>(sendOnce: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await sendOnce();
    } catch (error) {
      if (!isCode(error, 'second-factor-needed') || !(await askSecondFactor())) throw error;
      return sendOnce();
    }
  };

  return {
    get: (path, query, signal) => noticed(send(withQuery(path, query), signal ? { signal } : {})),
    post: (path, body) => noticed(steppedUp(() => post(path, body))),
    change: (sendWith) => noticed(steppedUp(() => withToken(sendWith))),
    postSession: async (path, body) => keep(await post<SessionReply>(path, body)),
    session,
    token: () => csrf,
  };
};

const Current = createContext<Api | undefined>(undefined);
export const ApiProvider = Current.Provider;

export const useApi = (): Api => {
  const api = use(Current);
  if (!api) throw new Error('there is no ApiProvider');
  return api;
};

export const sessionQuery = (api: Api) =>
  queryOptions({ queryKey: ['session'], queryFn: api.session, staleTime: Number.POSITIVE_INFINITY });

/** The routes below `/a` load it before they render. */
export const useSession = (): SessionReply => useSuspenseQuery(sessionQuery(useApi())).data;

/** Whether the person who is signed in may do this. The server decides; this hides what it would refuse. */
export const useMay = (capability: Capability): boolean => useSession().person?.may.includes(capability) === true;

/** What an error means, in the person's language. The server's message, in English, says which input is wrong. */
export const errorText = (error: Error, texts: CommonTexts): string => {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 0) return texts.offline;
  if (error.is('role-forbids')) return texts.roleForbids;
  if (error.status === 404) return texts.notFoundText;
  if (error.status === 429) return texts.busy;
  if (error.status === 503) return texts.unavailable;
  return error.status >= 500 || error.message === '' ? texts.unexpected : error.message;
};
