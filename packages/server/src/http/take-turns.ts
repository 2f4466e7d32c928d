import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { addressOf, networksOf } from './connections.ts';
import { refuseOverloaded } from './errors.ts';

export interface Turns {
  /** A request was refused because too many wait. */
  readonly onOverloaded: () => void;
  /** A name of the caller, if it is known. All others are strangers, who share by their networks. */
  readonly callerOf?: (request: IncomingMessage) => string | undefined;
}

interface Refused {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Waiting extends Refused {
  readonly since: number;
}

/** Whose turn it is: a group, such as a wide network, and in it a caller. */
interface Caller {
  readonly group: string;
  readonly name: string;
}

interface Queue {
  readonly name: string;
  readonly waiting: Waiting[];
}

interface Group {
  readonly name: string;
  readonly queues: Map<string, Queue>;
  count: number;
}

const perTurn = 100;
// a refusal costs half as much as a request: a fifth of the time is for refusals, however many there are
const refusedPerTurn = 50;
// more than the connections of one address; with full load, they wait a fifth of a second
const waitingMax = 2_000;
// of the turns, and of those that wait, while callers with a name have the rest
const partOfStrangers = 0.25;
// for a process that gets less of its processor
const waitingMaxMs = 250;

const isOpen = ({ response }: Refused): boolean => !response.destroyed;

const sizeOf = (one: Queue | Group): number => ('count' in one ? one.count : one.waiting.length);

/** The largest one; of several, the last one. */
const largest = <One extends Queue | Group>(all: ReadonlyMap<string, One>): One | undefined => {
  let found: One | undefined;
  let size = 0;
  for (const one of all.values()) {
    const own = sizeOf(one);
    if (own < size) continue;
    found = one;
    size = own;
  }
  return found;
};

/**
 * What waits: groups take turns, and in a group its callers, so that nobody waits for all requests of another. To make room,
 * the last request goes of who has most.
 */
const waitingInTurns = () => {
  const groups = new Map<string, Group>();
  let total = 0;

  /** Takes from a queue, and forgets what is empty then. */
  const remove = (group: Group, { name, waiting }: Queue, one: Waiting | undefined): Waiting | undefined => {
    if (waiting.length === 0) group.queues.delete(name);
    group.count -= 1;
    if (group.count === 0) groups.delete(group.name);
    total -= 1;
    return one;
  };

  const next = (): Waiting | undefined => {
    const { value: group } = groups.values().next();
    const { value: queue } = group?.queues.values().next() ?? {};
    if (!group || !queue) return undefined;
    // behind the others
    groups.delete(group.name);
    groups.set(group.name, group);
    group.queues.delete(queue.name);
    group.queues.set(queue.name, queue);
    return remove(group, queue, queue.waiting.shift());
  };

  const removeLast = (group: Group): Waiting | undefined => {
    const queue = largest(group.queues);
    return queue && remove(group, queue, queue.waiting.pop());
  };

  return {
    count: () => total,
    first: ({ group, name }: Caller): Waiting | undefined => groups.get(group)?.queues.get(name)?.waiting[0],
    add: ({ group: groupName, name }: Caller, one: Waiting): void => {
      const group = groups.get(groupName) ?? { name: groupName, queues: new Map<string, Queue>(), count: 0 };
      groups.set(groupName, group);
      const queue = group.queues.get(name) ?? { name, waiting: [] };
      group.queues.set(name, queue);
      queue.waiting.push(one);
      group.count += 1;
      total += 1;
    },
    take: (max: number): Waiting[] =>
      Array.from({ length: Math.min(max, total) }, next).filter((one) => one !== undefined),
    /** Removes one for another that does not wait here. */
    makeRoom: (): Waiting | undefined => {
      const group = largest(groups);
      return group && removeLast(group);
    },
    /** Removes one for another of this caller, if somebody has more than it will have. */
    makeRoomFor: ({ group: groupName, name }: Caller): Waiting | undefined => {
      const own = groups.get(groupName);
      const group = largest(groups);
      if (group && group.count > (own?.count ?? 0) + 1) return removeLast(group);
      const queue = own && largest(own.queues);
      const ofCaller = own?.queues.get(name)?.waiting.length ?? 0;
      return own && queue && queue.waiting.length > ofCaller + 1 ? removeLast(own) : undefined;
    },
  };
};

const strangerOf = (request: IncomingMessage): Caller => {
  const networks = networksOf(addressOf(request));
  return { group: networks.at(-1) ?? '', name: networks[0] ?? '' };
};

/**
 * Handles at most a hundred requests per turn of the event loop; the others wait, in order, and callers in turn. In an overload, a turn would
 * otherwise handle thousands of them, and whatever PostgreSQL responds would wait behind them all. Requests beyond those
 * that may wait, the last ones of the caller with most, are refused with 503 `overloaded`, fifty per turn: callers that send the next request as soon as they are
 * refused would otherwise leave no time for anything else. Strangers have a quarter while callers with a name have the
 * rest, and make room for them, however many networks they have. Of a connection, one waits: those that it has sent behind it are
 * refused at once, and Node.js then stops reading it.
 */
export const takeTurns = (listener: RequestListener, { onOverloaded, callerOf }: Turns): RequestListener => {
  const named = waitingInTurns();
  const strangers = waitingInTurns();
  let refused: Refused[] = [];
  let handled = 0;
  let isScheduled = false;
  const waitingCount = () => named.count() + strangers.count();

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
    const forStrangers = Math.max(perTurn * partOfStrangers, perTurn - named.count());
    const forNamed = perTurn - Math.min(forStrangers, strangers.count());
    // callers may have left
    const next = [...named.take(forNamed), ...strangers.take(forStrangers)].filter(isOpen);
    handled = next.length;
    for (const { request, response } of next) listener(request, response);
    refused = refused.filter(isOpen);
    for (const { request, response } of refused.splice(0, refusedPerTurn)) refuseOverloaded(request, response);
    if (handled + waitingCount() + refused.length > 0) schedule();
  };

  const wait = (one: Waiting): void => {
    const name = callerOf?.(one.request);
    const caller = name === undefined ? strangerOf(one.request) : { group: name, name };
    const [own, others, part] =
      name === undefined ? [strangers, named, partOfStrangers] : [named, strangers, 1 - partOfStrangers];
    const first = own.first(caller);
    if (first && one.since - first.since > waitingMaxMs) return refuse(one);
    if (waitingCount() >= waitingMax) {
      const displaced = own.count() < waitingMax * part ? others.makeRoom() : own.makeRoomFor(caller);
      if (!displaced) return refuse(one);
      refuse(displaced);
    }
    own.add(caller, one);
  };

  return (request, response) => {
    schedule();
    if (waitingCount() === 0 && handled < perTurn) {
      handled += 1;
      return listener(request, response);
    }
    // only the first one has the socket: Node.js sends responses in the order of the requests
    if (response.socket === null) {
      onOverloaded();
      return refuseOverloaded(request, response);
    }
    wait({ request, response, since: performance.now() });
  };
};
