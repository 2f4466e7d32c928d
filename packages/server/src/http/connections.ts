import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TokenBucket } from 'limiter';
import { z } from 'zod';

const wide = (address: ipaddr.IPv6, bits: number): string =>
  ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString();

// some proxies append the port: each connection would be a network of its own
const withPort = /^(?:(?<ipv4>[\d.]+):\d+|\[(?<ipv6>[^\]]+)\](?::\d+)?)$/;
const unusual = /[[%"]|\..*:/;

/** An address as proxies write it, without quotes, port, brackets and the zone of the proxy's own interface. */
export const bareAddress = (forwarded: string): string => {
  if (!unusual.test(forwarded)) return forwarded; // nearly all
  const unquoted = forwarded.replaceAll('"', '').trim();
  const { ipv4, ipv6 } = withPort.exec(unquoted)?.groups ?? {};
  return (ipv4 ?? ipv6 ?? unquoted).replace(/%.*$/, '');
};

/**
 * The network that counts as one caller: a whole IPv4 address, or the first 64 bits of an IPv6 address. What is no address
 * counts as one network together.
 */
export const networkOf = (forwarded: string): string => {
  if (isIPv4(forwarded)) return forwarded;
  const address = bareAddress(forwarded);
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : wide(ipaddr.IPv6.parse(address), 64);
};

/** The address of who sent a request, also behind trusted proxies if it is one for an Express app. Empty if it is gone. */
export const addressOf = (request: IncomingMessage): string =>
  'ip' in request && typeof request.ip === 'string' ? request.ip : (request.socket.remoteAddress ?? '');

/**
 * The networks of an address from that of one caller to the widest that one customer of a provider may have: /64, /56 and
 * /48 of IPv6, the address and /24 of IPv4.
 */
export const networksOf = (address: string): readonly string[] => {
  const own = networkOf(address);
  if (isIPv4(own)) return [own, `${own.slice(0, own.lastIndexOf('.'))}.0/24`];
  if (!ipaddr.IPv6.isValid(own)) return [own];
  const parsed = ipaddr.IPv6.parse(own);
  return [own, `${wide(parsed, 56)}/56`, `${wide(parsed, 48)}/48`];
};

export interface BucketSize {
  readonly perSecond: number;
  readonly burst: number;
}

const secondsUntilFull = (bucket: TokenBucket): number => {
  bucket.drip();
  return (bucket.bucketSize - bucket.content) / bucket.tokensPerInterval;
};

/** Drops a quarter of the buckets: those that would be full again first. A bucket that is full is like a new one. */
const dropFullest = (buckets: Map<string, TokenBucket>): void => {
  const times = Float64Array.from(buckets.values(), secondsUntilFull).toSorted();
  const latest = times[Math.floor(times.length / 4)] ?? 0;
  for (const [name, bucket] of buckets) if (secondsUntilFull(bucket) <= latest) buckets.delete(name);
};

/**
 * Returns one bucket per name, full at first. It remembers so many names, and forgets those whose buckets time has filled
 * again, or nearly: somebody who invents names cannot refill the bucket of another.
 */
export const tokenBuckets = (namesMax: number): ((name: string, size: BucketSize) => TokenBucket) => {
  const buckets = new Map<string, TokenBucket>();
  return (name, { perSecond, burst }) => {
    const known = buckets.get(name);
    if (known) return known;
    if (buckets.size >= namesMax) dropFullest(buckets);
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perSecond, interval: 'second' });
    bucket.content = burst;
    buckets.set(name, bucket);
    return bucket;
  };
};

/** The settings of every app with a public server: the shape of a zod object, to spread into the schema of an app. */
export const connectionSettings = {
  TRUST_PROXY: z.coerce.number().int().min(0).default(0).meta({
    description:
      'The number of proxies in front of the app that append to `X-Forwarded-For`. Needed if its public URL is https',
    isUsual: true,
  }),
};

/**
 * Refuses to trust no proxy in front of a public URL of https, for `superRefine` of an app's settings: the app itself never
 * ends TLS, so there is one, and every visitor or caller would have its address.
 */
export const refuseWithoutProxy =
  <Name extends string>(name: Name) =>
  (
    settings: { readonly TRUST_PROXY: number } & Readonly<Partial<Record<Name, string | undefined>>>,
    context: z.RefinementCtx,
  ): void => {
    const url = settings[name];
    if (settings.TRUST_PROXY > 0 || url === undefined || new URL(url).protocol !== 'https:') return;
    context.addIssue({
      code: 'custom',
      path: ['TRUST_PROXY'],
      message: `is 0, but ${name} is https, so a proxy ends TLS in front of this app: set the number of proxies that append to X-Forwarded-For, such as 1. Otherwise everyone would have the address of the proxy`,
    });
  };

/** A tenth of what a process may have. A browser opens six, and known callers of the API and the console have their own. */
const ofOneNetwork = 1_000;

/** How many connections a network may have; undefined: any number, as behind a proxy, which has all of them. */
export const connectionsPerNetwork = ({
  TRUST_PROXY: proxies,
}: {
  readonly TRUST_PROXY: number;
}): number | undefined => (proxies > 0 ? undefined : ofOneNetwork);

/** Why a connection was closed: its network had too many, the process had too many, or it had sent nothing. */
export type CloseReason = (typeof closeReasons)[number];
export const closeReasons = ['network', 'process', 'silent'] as const;

export interface ConnectionLimits {
  /** How many a process has. */
  readonly max: number;
  /** How many a network has: an IPv4 address or a /64 of IPv6; a /56 twice, a /24 and a /48 four times. Default: any number. */
  readonly perNetwork?: number;
  /** How many count as those of a key or person that has sent a valid request on them. Default: a twentieth of `max`. */
  readonly perCaller?: number;
  /** Until the first byte, while more than half of `max` are open. */
  readonly firstByteMs?: number;
  /**
   * How long a connection is as good as a request in progress after it was opened, or its request began: browsers send
   * their request at once.
   */
  readonly newMs?: number;
  /** How long a request of a trusted caller, or its response, may take while others need its connection. */
  readonly slowMs?: number;
  readonly onClosed?: (reason: CloseReason) => void;
  /** The kernel had a connection that the process could not take. */
  readonly onDropped?: () => void;
}

interface Connection {
  readonly socket: Socket;
  readonly networks: readonly string[];
  /** Of the last request, until its response has been sent. */
  current: IncomingMessage | undefined;
  hasSentRequest: boolean;
  /** When it was opened, began its request or, if that is over, was last used. */
  since: number;
  /** The key or person whose share it is in; undefined: it is a stranger's. */
  caller: string | undefined;
  readonly trust: (caller: string) => void;
}

const defaultFirstByteMs = 2_000;
const defaultNewMs = 1_000;
const defaultSlowMs = 15_000;
const checkEveryMs = 250;
// the part of `max` from which late connections are closed
const lateFrom = 0.8;
// how many times as many connections as `perNetwork` each of `networksOf` may have
const shares = { ipv4: [1, 4], ipv6: [1, 2, 4] };

const known = new WeakMap<Socket, Connection>();

/**
 * Says which key or person sent the request, once it is not refused: the connection is not one of a stranger while it is
 * among the last used ones of this caller.
 */
export const trustCaller = ({ socket }: IncomingMessage, caller: string): void => known.get(socket)?.trust(caller);

type Test = (connection: Connection) => boolean;

const isAwaited: Test = ({ current, hasSentRequest }) => (current ? !current.complete : !hasSentRequest);
const isIdle: Test = ({ current, hasSentRequest }) => !current && hasSentRequest;
const isStrangers: Test = ({ caller }) => caller === undefined;

/**
 * Deals the connections in rounds, one of each network in each, as of each caller whom we trust: the last ones are those of
 * who has most.
 */
const dealt = (connections: readonly Connection[], level: number): Connection[] => {
  const rounds: Connection[][] = [];
  const counts = new Map<string, number>();
  for (const connection of connections) {
    const { caller, networks } = connection;
    const holder = caller ?? networks[level] ?? networks.at(-1) ?? '';
    const count = counts.get(holder) ?? 0;
    counts.set(holder, count + 1);
    (rounds[count] ??= []).push(connection);
  }
  return rounds.flat();
};

const worthOf = (one: Connection): number => (isStrangers(one) ? 0 : isIdle(one) ? 1 : 2);

/**
 * The `count` that have to go first: those of the largest caller or widest network, in it of the largest narrower one, and the
 * oldest. Of as many, strangers go before trusted callers, and of these what is idle before what is in use.
 */
const leastOf = (connections: readonly Connection[], count: number): Connection[] => {
  const bestFirst = connections.toSorted((one, other) => worthOf(other) - worthOf(one) || other.since - one.since);
  return [0, 1, 2].reduce(dealt, bestFirst).slice(-count);
};

/**
 * Takes every new connection of `server`, and closes others in its place, so that nobody can keep callers out by holding
 * connections. Those that have sent no complete request go first, the oldest of the largest network first. The connections
 * that a trusted caller has used last do not count towards the limit of a network. They make room for strangers while this
 * caller has more than each network of these, unless they are in use, and for less than `slowMs`.
 */
export const watchConnections = (
  server: Server,
  {
    max,
    perNetwork = Infinity,
    perCaller = Math.ceil(max / 20),
    firstByteMs = defaultFirstByteMs,
    newMs = defaultNewMs,
    slowMs = defaultSlowMs,
    onClosed,
    onDropped,
  }: ConnectionLimits,
) => {
  const open = new Set<Connection>();
  const strangers = new Map<string, number>();
  // the least recently used one first
  const ofCallers = new Map<string, Set<Connection>>();
  // read once for all connections that are looked through
  let now = performance.now();
  /** Has kept the process waiting for a request. */
  const isLate: Test = (one) => isAwaited(one) && now - one.since >= newMs;
  const isUnused: Test = (one) => isIdle(one) || isLate(one);
  const isSlow: Test = (one) => now - one.since >= slowMs;
  // what an arrival closes from which part of `max` on
  const stages = [
    { from: 0.9, closes: (one: Connection) => isStrangers(one) && isUnused(one) },
    { from: 0.95, closes: (one: Connection) => isStrangers(one) || isUnused(one) || isSlow(one) },
  ];

  const count = ({ networks }: Connection, change: number): void => {
    for (const network of networks) {
      const left = (strangers.get(network) ?? 0) + change;
      if (left > 0) strangers.set(network, left);
      else strangers.delete(network);
    }
  };

  const join = (connection: Connection, caller: string | undefined): void => {
    connection.caller = caller;
    if (caller === undefined) return count(connection, 1);
    const theirs = ofCallers.get(caller);
    if (theirs) theirs.add(connection);
    else ofCallers.set(caller, new Set([connection]));
  };

  const leave = (connection: Connection): void => {
    const { caller } = connection;
    if (caller === undefined) return count(connection, -1);
    const theirs = ofCallers.get(caller);
    theirs?.delete(connection);
    if (theirs?.size === 0) ofCallers.delete(caller);
  };

  const trust = (connection: Connection, caller: string): void => {
    if (!open.has(connection)) return;
    leave(connection);
    join(connection, caller);
    const theirs = ofCallers.get(caller);
    const [leastUsed] = theirs ?? [];
    if (!theirs || !leastUsed || theirs.size <= perCaller) return;
    leave(leastUsed);
    join(leastUsed, undefined);
  };

  const forget = (connection: Connection): void => {
    if (open.delete(connection)) leave(connection);
  };

  const close = (connections: readonly Connection[], reason: CloseReason): void => {
    for (const connection of connections) {
      forget(connection);
      connection.socket.destroy();
      onClosed?.(reason);
    }
  };

  /** Closes what is beyond `size`, and a hundredth of it more, for the next arrivals. */
  const closeBeyond = (size: number, reason: CloseReason, isOf: Test): void => {
    const excess = open.size - Math.floor(size) + Math.ceil(size / 100);
    close(leastOf([...open].filter(isOf), excess), reason);
  };

  const makeRoom = (arrived: Connection): void => {
    for (const { from, closes } of stages) {
      if (open.size <= max * from) return;
      closeBeyond(max * from, 'process', (one) => one !== arrived && closes(one));
    }
  };

  /** Closes connections of a network that has too many: without a complete request first, then without any in progress. */
  const limitNetworks = (arrived: Connection): void => {
    const { networks } = arrived;
    const share = networks.length === 2 ? shares.ipv4 : shares.ipv6;
    for (const [level, network] of networks.entries()) {
      const limit = perNetwork * (share[level] ?? 1);
      let excess = (strangers.get(network) ?? 0) - limit;
      if (excess <= 0) continue;
      excess += Math.floor(limit / 20); // not every arrival looks through all
      const theirs = [...open].filter((one) => one !== arrived && isStrangers(one) && one.networks[level] === network);
      for (const isFirst of [isLate, isIdle, isStrangers]) {
        if (excess <= 0) break;
        const closed = leastOf(
          theirs.filter((one) => open.has(one) && isFirst(one)),
          excess,
        );
        close(closed, 'network');
        excess -= closed.length;
      }
    }
  };

  server.maxConnections = max;
  server.on('drop', () => onDropped?.());
  server.on('connection', (socket) => {
    now = performance.now();
    const connection: Connection = {
      socket,
      networks: networksOf(socket.remoteAddress ?? ''),
      current: undefined,
      hasSentRequest: false,
      since: now,
      caller: undefined,
      trust: (caller) => trust(connection, caller),
    };
    known.set(socket, connection);
    open.add(connection);
    join(connection, undefined);
    socket.once('close', () => forget(connection));
    limitNetworks(connection);
    makeRoom(connection);
  });

  const timer = setInterval(() => {
    if (open.size <= max / 2) return;
    now = performance.now();
    const silent = [...open].filter(({ socket, since }) => socket.bytesRead === 0 && now - since >= firstByteMs);
    // what has arrived meanwhile is read first: this process itself may have been late
    setImmediate(() =>
      close(
        silent.filter(({ socket }) => socket.bytesRead === 0),
        'silent',
      ),
    );
    if (open.size > max * lateFrom) closeBeyond(max * lateFrom, 'process', (one) => isStrangers(one) && isLate(one));
  }, checkEveryMs).unref();

  return {
    count: () => open.size,
    /** Notes that a connection sends a request. */
    watch: (request: IncomingMessage, response: ServerResponse): void => {
      const connection = known.get(request.socket);
      if (!connection) return;
      connection.current = request;
      connection.since = performance.now();
      response.once('close', () => {
        if (request.complete) connection.hasSentRequest = true;
        if (connection.current !== request) return;
        connection.current = undefined;
        connection.since = performance.now();
      });
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
};
