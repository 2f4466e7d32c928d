import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf } from './request-log.ts';
import { refuseOverloaded } from './refuse-requests.ts';

export interface Turns {
  /** A request was refused because too many wait. */
  readonly onOverloaded: () => void;
  /** A name of the caller, if it is known; all others share the one of their network. */
  readonly callerOf?: (request: IncomingMessage) => string | undefined;
}

interface Refused {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Waiting extends Refused {
  readonly since: number;
}

const perTurn = 100;
// a refusal costs half as much as a request: a fifth of the time is for refusals, however many there are
const refusedPerTurn = 50;
// more than the connections of one address; with full load, they wait a fifth of a second
const waitingMax = 2_000;
// for a process that gets less of its processor
const waitingMaxMs = 250;

const isOpen = ({ response }: Refused): boolean => !response.destroyed;

/** What waits, by caller: callers take turns, so that nobody waits for all requests of another. */
const waitingByCaller = () => {
  const queues = new Map<string, Waiting[]>();
  let count = 0;
  return {
    count: () => count,
    of: (caller: string): readonly Waiting[] => queues.get(caller) ?? [],
    add: (caller: string, one: Waiting): void => {
      const queue = queues.get(caller);
      if (queue) queue.push(one);
      else queues.set(caller, [one]);
      count += 1;
    },
    next: (): Waiting | undefined => {
      const { value: [caller, queue] = [] } = queues.entries().next();
      if (caller === undefined || !queue) return undefined;
      const one = queue.shift();
      queues.delete(caller);
      if (queue.length > 0) queues.set(caller, queue); // behind the others
      count -= 1;
      return one;
    },
    /** Removes the last one of the caller with most, if it has more than `least`. */
    lastOfLongest: (least: number): Waiting | undefined => {
      let longest: Waiting[] = [];
      for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
      if (longest.length <= least) return undefined;
      count -= 1;
      return longest.pop();
    },
  };
};

/**
 * Handles at most a hundred requests per turn of the event loop; the others wait, in order, and callers in turn. In an overload, a turn would
 * otherwise handle thousands of them, and whatever PostgreSQL responds would wait behind them all. Requests beyond those
 * that may wait, the last ones of the caller with most, are refused with 503 `overloaded`, fifty per turn: callers that send the next request as soon as they are
 * refused would otherwise leave no time for anything else. Of a connection, one waits: those that it has sent behind it are
 * refused at once, and Node.js then stops reading it.
 */
export const takeTurns = (listener: RequestListener, { onOverloaded, callerOf }: Turns): RequestListener => {
  const waiting = waitingByCaller();
  const refused: Refused[] = [];
  let handled = 0;
  let isScheduled = false;

  const refuse = (one: Refused): void => {
    onOverloaded();
    refused.push(one);
  };

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  };

  const startTurn = (): void => {
    isScheduled = false;
    // callers may have left
    const next = Array.from({ length: Math.min(perTurn, waiting.count()) }, waiting.next)
      .filter((one) => one !== undefined)
      .filter(isOpen);
    handled = next.length;
    for (const { request, response } of next) listener(request, response);
    for (const { request, response } of refused.splice(0, refusedPerTurn).filter(isOpen)) {
      refuseOverloaded(request, response);
    }
    if (handled + waiting.count() + refused.length > 0) schedule();
  };

  return (request, response) => {
    schedule();
    if (waiting.count() === 0 && handled < perTurn) {
      handled += 1;
      return listener(request, response);
    }
    // only the first one has the socket: Node.js sends responses in the order of the requests
    if (response.socket === null) {
      onOverloaded();
      return refuseOverloaded(request, response);
    }
    const now = performance.now();
    const caller = callerOf?.(request) ?? networkOf(request.socket.remoteAddress ?? '');
    const { 0: first, length } = waiting.of(caller);
    const isLate = first !== undefined && now - first.since > waitingMaxMs;
    const displaced = isLate || waiting.count() < waitingMax ? undefined : waiting.lastOfLongest(length + 1);
    if (!isLate && waiting.count() < waitingMax) waiting.add(caller, { request, response, since: now });
    else refuse({ request, response });
    if (displaced) refuse(displaced);
  };
};
