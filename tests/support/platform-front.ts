import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Delivery } from '@leadback/db';
import { givenServer, eventually } from '@leadback/testing';
import { expect } from 'vitest';
import { deliveriesOf } from './deliveries-of.ts';
import { expireClaimsOfKilled } from './deliveries.ts';
import type { Partner } from './given-partner.ts';
import { givenStack } from './given-stack.ts';
import { givenLedger } from './ledger.ts';

/** A response to a request; `pass`: the response of the sandbox. */
export type HttpResponse =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'pass'
  | 'silence';

/** `turn`: the number of earlier requests of the connection. The request waits for a promise. */
export type Script = (turn: number) => HttpResponse | Promise<HttpResponse>;

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

/** The api and a worker, with platforms whose responses a test scripts per connection. */
export const givenTroubledPlatform = async () => {
  const ours = new AsyncDisposableStack();
  const stack = await givenStack();
  const front = ours.use(await givenPlatformFront(stack.sandbox.url));
  ours.use(stack);
  const ledger = await givenLedger(stack);
  const startWorker = () => stack.start('feedback-worker', { platformUrl: front.url });
  await Promise.all([stack.start('api'), startWorker()]);
  const metaOf = async (partner: Partner) => (await deliveriesOf(stack, partner))[0];

  return {
    stack,
    front,
    ledger,
    /** A partner with conversions, whose pixel gets scripted responses. */
    givenPartner: async (script: Script, conversions = 1): Promise<Partner> => {
      const partner = await ledger.join();
      front.play(partner.pixelId, script);
      await ledger.register(conversions, partner);
      return partner;
    },
    /** The delivery of a partner's only conversion to Meta. */
    metaOf,
    isDelivered: (partner: Partner) =>
      eventually(async () => expect(await metaOf(partner)).toMatchObject({ state: 'delivered' })),
    /** Waits until `count` deliveries of a partner are delivered. */
    areDelivered: (count: number, partner: Partner, platform?: 'meta' | 'google') =>
      eventually(async () => {
        const rows = await deliveriesOf(stack, partner, platform);
        expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(count);
      }),
    /**
     * Ends the trouble of these partners: Meta accepts their events again, and a new worker has no open circuits. First
     * waits until all other deliveries are closed, so that killing the worker duplicates no event.
     */
    recover: async (partners: readonly Partner[]): Promise<void> => {
      const troubled = partners.map(({ meta }) => meta.id);
      await eventually(async () => {
        const others = { state: 'pending', connection: { $nin: troubled } } as const;
        expect(await stack.database.em().count(Delivery, others)).toBe(0);
      });
      for (const { pixelId } of partners) front.play(pixelId, () => 'pass');
      await stack.kill('feedback-worker');
      await expireClaimsOfKilled(stack.database);
      await startWorker();
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
};
