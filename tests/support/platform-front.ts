import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { givenServer } from '@leadback/testing';

/** A response to a request; `pass`: the response of the sandbox. */
export type Answered =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'pass'
  | 'silence';

/** `turn`: the number of earlier requests of the connection. The request waits for a promise. */
export type Script = (turn: number) => Answered | Promise<Answered>;

interface Played {
  readonly script: Script;
  turns: number;
  /** Requests without a response that the client has closed. */
  abandoned: number;
}

/** A proxy of the sandbox with scripted responses for single connections. */
export const givenPlatformFront = async (sandboxUrl: string) => {
  const plays = new Map<string, Played>();

  const pass = async ({ method = '', url, headers }: IncomingMessage, body: string, response: ServerResponse) => {
    const kept = ['content-type', 'authorization', 'access-token'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const sent = method === 'GET' ? {} : { body };
    const answer = await fetch(sandboxUrl + url, { method, headers: Object.fromEntries(kept), ...sent });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const name = [...plays.keys()].find((one) => request.url?.includes(one) === true || body.includes(one));
    const played = plays.get(name ?? '');
    const turn = played?.turns ?? 0;
    if (played) played.turns += 1;
    const said = (await played?.script(turn)) ?? 'pass';
    if (said === 'pass') return pass(request, body, response);
    if (said === 'silence') {
      if (played) response.on('close', () => (played.abandoned += 1));
      return;
    }
    response
      .writeHead(said.status, said.headers)
      .end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
  };

  const server = await givenServer((request, response) => {
    take(request, response).catch(() => response.socket?.resetAndDestroy());
  });
  return {
    url: server.url,
    /** Scripts the responses to the connection with this id at its platform. */
    play: (name: string, script: Script) => {
      plays.set(name, { script, turns: 0, abandoned: 0 });
    },
    /** The numbers of requests since then, and of those that the client has abandoned. */
    requests: (name: string) => ({ came: plays.get(name)?.turns ?? 0, abandoned: plays.get(name)?.abandoned ?? 0 }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
