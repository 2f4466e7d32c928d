import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { refuseOverloaded } from './refuse-requests.ts';

export interface Turns {
  /** A request was refused because too many wait. */
  readonly onOverloaded: () => void;
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

/**
 * Handles at most a hundred requests per turn of the event loop; the others wait, in order. In an overload, a turn would
 * otherwise handle thousands of them, and whatever PostgreSQL responds would wait behind them all. Requests beyond those
 * that may wait are refused with 503 `overloaded`, fifty per turn: callers that send the next request as soon as they are
 * refused would otherwise leave no time for anything else. Of a connection, one waits: those that it has sent behind it are
 * refused at once, and Node.js then stops reading it.
 */
export const takeTurns = (listener: RequestListener, { onOverloaded }: Turns): RequestListener => {
  const waiting: Waiting[] = [];
  const refused: Refused[] = [];
  let handled = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startTurn);
  };

  const startTurn = (): void => {
    isScheduled = false;
    // callers may have left
    const next = waiting.splice(0, perTurn).filter(isOpen);
    handled = next.length;
    for (const { request, response } of next) listener(request, response);
    for (const { request, response } of refused.splice(0, refusedPerTurn).filter(isOpen)) {
      refuseOverloaded(request, response);
    }
    if (handled + waiting.length + refused.length > 0) schedule();
  };

  return (request, response) => {
    schedule();
    const [first] = waiting;
    if (!first && handled < perTurn) {
      handled += 1;
      return listener(request, response);
    }
    const now = performance.now();
    const mayWait = waiting.length < waitingMax && (!first || now - first.since <= waitingMaxMs);
    // only the first one has the socket: Node.js sends responses in the order of the requests
    const isFirstOfConnection = response.socket !== null;
    if (mayWait && isFirstOfConnection) return void waiting.push({ request, response, since: now });
    onOverloaded();
    if (isFirstOfConnection) refused.push({ request, response });
    else refuseOverloaded(request, response);
  };
};
