import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpRequest, Message, ShopKind, ShopSettings } from './shop.ts';

/** How messages leave, until another behaviour is set. */
export const sendingSchema = z.strictObject({
  messages: z.enum(['well', 'wrong-signature', 'unsigned', 'half-body']).default('well'),
  /** How many messages it applies to. Default: all. */
  times: z.int().min(1).optional(),
  /** Each is sent so often, as by a shop that does not know that it has. */
  copies: z.int().min(1).max(100).default(1),
  delayMs: z.int().min(0).max(600_000).default(0),
  /** Messages are kept until `POST {shop}/deliveries/release`. */
  isHeld: z.boolean().default(false),
});
type Sending = z.infer<typeof sendingSchema>;

type Attempt = { readonly at: string; readonly durationMs: number } & (
  | { readonly status: number; readonly body: string }
  | { readonly error: string }
);

interface Delivery<Settings> {
  readonly id: number;
  readonly topic: string;
  readonly orderId: string | undefined;
  state: 'held' | 'waiting' | 'taken' | 'given-up' | 'switched-off';
  request: HttpRequest | undefined;
  readonly attempts: Attempt[];
  readonly message: Message<Settings>;
  readonly messages: Sending['messages'];
}

/** As `GET {shop}/deliveries` shows it. */
type ShownDelivery = Omit<Delivery<unknown>, 'message' | 'messages'>;

const shownBodyMax = 2_000;
// as curl, on which WordPress sends: it does not wait longer for the permission to go on
const continueMaxMs = 1_000;

/** Sends a request as it stands. `isHalf`: the connection ends after half of the body. */
const transmit = ({ method, url, headers, body }: HttpRequest, isHalf: boolean, timeoutMs: number) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const bytes = Buffer.from(body);
    const open = url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = open(url, {
      method,
      headers: { ...headers, ...(method === 'POST' && { 'content-length': String(bytes.length) }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // a sandbox that stops does not wait for responses
    sent.on('socket', (socket) => socket.unref());
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject);
    });
    const sendBody = () => {
      if (sent.writableEnded || sent.destroyed) return;
      if (!isHalf) sent.end(bytes);
      else
        sent.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
          sent.destroy(new Error('the connection ended after half of the body'));
        });
    };
    if (headers['expect'] === undefined) return sendBody();
    sent.flushHeaders();
    sent.once('continue', sendBody);
    setTimeout(sendBody, continueMaxMs).unref();
  });

/** The reason of an error, with those below it. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/**
 * The messages of a shop. Those of an order leave one after the other, those of several orders beside each other; what is
 * not taken is retried as the real shop does, on a schedule in which a minute is shorter.
 */
export const createSender = <Settings extends ShopSettings>(
  kind: ShopKind<Settings>,
  settings: () => Settings | undefined,
  now: () => number,
) => {
  const keptMax = 20_000;
  let deliveries: Delivery<Settings>[] = [];
  let sending: Sending = sendingSchema.parse({});
  let count = 0;
  const failuresInRow = new Map<string, number>();
  const off = new Set<string>();
  /** The last message of each order, after which the next one is sent. */
  const queues = new Map<string, Promise<void>>();

  const hookOf = ({ message }: Delivery<Settings>) => message.hook ?? kind.name;

  const countFailure = (hook: string, status: number | undefined) => {
    const failures = (failuresInRow.get(hook) ?? 0) + 1;
    failuresInRow.set(hook, failures);
    const { failures: failuresMax, status: end } = kind.switchesOffAt ?? {};
    if (failures === failuresMax || (status !== undefined && status === end)) off.add(hook);
  };

  const requestOf = (delivery: Delivery<Settings>, its: Settings): HttpRequest => {
    const { signing } = kind;
    const { message, messages } = delivery;
    if (signing === undefined || messages === 'well' || messages === 'half-body') return message.request(its, now());
    if (messages === 'wrong-signature') {
      // as valid as the right one: what a shop would sign with after its secret was changed
      const wrong = `whsec_${randomBytes(32).toString('base64')}`;
      return message.request(signing.withSecret(its, wrong), now());
    }
    const { headers, ...request } = message.request(its, now());
    const signature = signing.headerOf(its);
    return { ...request, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== signature)) };
  };

  const attempt = async (delivery: Delivery<Settings>): Promise<void> => {
    const its = settings();
    if (its === undefined || off.has(hookOf(delivery))) {
      delivery.state = 'switched-off';
      return;
    }
    const request = requestOf(delivery, its);
    delivery.request = request;
    const startMs = performance.now();
    const about = () => ({ at: new Date(now()).toISOString(), durationMs: Math.round(performance.now() - startMs) });
    const isHalf = delivery.messages === 'half-body' && delivery.attempts.length === 0;
    let status: number | undefined;
    try {
      const answer = await transmit(request, isHalf, kind.timeoutMs);
      status = answer.status;
      delivery.attempts.push({ ...about(), status, body: answer.body.slice(0, shownBodyMax) });
    } catch (error) {
      delivery.attempts.push({ ...about(), error: reasonOf(error) });
    }
    if (status !== undefined && kind.isTaken(status)) {
      delivery.state = 'taken';
      failuresInRow.delete(hookOf(delivery));
      return;
    }
    countFailure(hookOf(delivery), status);
    const pause = kind.retryAfterMinutes[delivery.attempts.length - 1];
    if (pause === undefined) delivery.state = 'given-up';
    else setTimeout(() => void attempt(delivery), pause * its.minuteMs).unref();
  };

  const enqueue = (delivery: Delivery<Settings>, delayMs: number): Promise<void> => {
    const queue = delivery.orderId ?? '';
    const turn = (queues.get(queue) ?? Promise.resolve()).then(async () => {
      if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
      await attempt(delivery);
    });
    queues.set(queue, turn);
    return turn.then(() => {
      if (queues.get(queue) === turn) queues.delete(queue);
    });
  };

  const add = (message: Message<Settings>, orderId: string | undefined, messages: Sending['messages']) => {
    count += 1;
    const delivery: Delivery<Settings> = {
      id: count,
      topic: message.topic,
      orderId,
      state: 'waiting',
      request: undefined,
      attempts: [],
      message,
      messages,
    };
    deliveries.push(delivery);
    if (deliveries.length > keptMax) deliveries.shift();
    return delivery;
  };

  const shown = ({ message: _message, messages: _messages, ...delivery }: Delivery<Settings>): ShownDelivery =>
    delivery;

  const takeSending = (): Sending => {
    const { times, ...current } = sending;
    if (times === 1) sending = sendingSchema.parse({});
    else if (times !== undefined) sending = { ...current, times: times - 1 };
    return current;
  };

  return {
    behave: (behaviour: Sending): void => {
      sending = behaviour;
    },
    /** Resolves after the first attempt of each, whatever its outcome; held ones are not waited for. */
    send: async (messages: readonly Message<Settings>[], orderId?: string): Promise<void> => {
      await Promise.all(
        messages.flatMap((message) => {
          const { copies, delayMs, isHeld, messages: how } = takeSending();
          return Array.from({ length: copies }, () => {
            const delivery = add(message, orderId, how);
            if (!isHeld) return enqueue(delivery, delayMs);
            delivery.state = 'held';
            return Promise.resolve();
          });
        }),
      );
    },
    /** Sends what was held, one after the other; the newest first if asked for. */
    release: async (isNewestFirst: boolean): Promise<number> => {
      const held = deliveries.filter(({ state }) => state === 'held');
      for (const delivery of isNewestFirst ? held.toReversed() : held) {
        delivery.state = 'waiting';
        await enqueue(delivery, 0);
      }
      return held.length;
    },
    /** Sends a message once more, as it was; undefined if there is none with this id. */
    again: async (id: number): Promise<ShownDelivery | undefined> => {
      const earlier = deliveries.find((delivery) => delivery.id === id);
      if (earlier === undefined) return undefined;
      const delivery = add(earlier.message, earlier.orderId, 'well');
      await enqueue(delivery, 0);
      return shown(delivery);
    },
    newestFirst: (): readonly ShownDelivery[] => deliveries.toReversed().map(shown),
    switchedOff: (): readonly string[] => [...off],
    switchOn: (): void => {
      off.clear();
      failuresInRow.clear();
    },
    clear: (): void => {
      deliveries = [];
      sending = sendingSchema.parse({});
      off.clear();
      failuresInRow.clear();
    },
  };
};
