// The load generator, in a process of its own. It writes prepared bytes to plain sockets and reads no more of a response
// than status and length: 16 µs per request, as wrk, where autocannon takes 25 to 34 and would be the limit of plain HTTP.
// Nor has autocannon an even rate: each of its connections sends what it may send in a second at the second's beginning.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { respond, startBenchProcess } from './bench-process.ts';
import { quantile } from './figures.ts';

const askedSchema = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  headers: z.record(z.string(), z.string()),
  /**
   * `{n}` is the number of the request: no other request of a run has the same one. `{name}` is the next of the names, from the
   * start after the last.
   */
  body: z.string().optional(),
  names: z.array(z.string()).optional(),
  /** The header that gets the HMAC-SHA256 of the body in base64. */
  signature: z.object({ header: z.string(), secret: z.string() }).optional(),
  /** Any other status ends the benchmark. */
  expected: z.number(),
});
/** A request that is sent again and again. */
export type Asked = Readonly<z.infer<typeof askedSchema>>;

const loadSchema = z.object({
  asked: askedSchema,
  seconds: z.number(),
  /** Before the measurement. */
  warmUpSeconds: z.number(),
  connections: z.int(),
  /**
   * The generator asks for responses without ever sleeping. Only where the server leaves it a core: on a virtual machine,
   * a server that writes to a sleeping process pays for waking its core, which took a third of a landing page's CPU time.
   */
  polls: z.boolean().optional(),
  /** Sends at this rate, however long the responses take. Default: each connection waits for its response. */
  perSecond: z.number().optional(),
});
export type Load = z.infer<typeof loadSchema>;

const rateSchema = z.object({
  /** In all, also those of the warm-up. */
  operations: z.int(),
  perSecond: z.number(),
  /** Milliseconds. */
  p50: z.number(),
  p99: z.number(),
  /** Of a load with a rate: the number of each request, and when its response was there, in milliseconds since 1970. */
  responses: z.array(z.tuple([z.int(), z.number()])),
});
export type Rate = Readonly<z.infer<typeof rateSchema>>;

export interface LoadGenerator extends AsyncDisposable {
  readonly pid: number;
  /** One load at a time. Throws on any error and on any other status than the expected one. */
  readonly run: (load: Load) => Promise<Rate>;
}

export const startLoadGenerator = (): LoadGenerator => {
  const child = startBenchProcess(new URL('load.ts', import.meta.url));
  return {
    pid: child.pid,
    run: async (load) => rateSchema.parse(await child.ask(load)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
};

// above the numbers of rows that parts insert themselves
let lastNumber = 1_000_000_000;

/** Returns a function that writes the next request. */
const requestWriter = ({ url, method, headers, body, names = [], signature }: Asked) => {
  const { host, pathname, search } = new URL(url);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const lines = Object.entries({ host, ...type, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}`;
  if (body === undefined) {
    const bytes = Buffer.from(`${head}\r\n`);
    return () => ({ number: (lastNumber += 1), bytes });
  }
  const pieces = body.split(/(\{n\}|\{name\})/);
  const write = (piece: string, number: number): string => {
    if (piece === '{n}') return String(number);
    return piece === '{name}' ? (names[number % names.length] ?? '') : piece;
  };
  const signed = (text: string): string => {
    if (!signature) return '';
    return `${signature.header}: ${createHmac('sha256', signature.secret).update(text).digest('base64')}\r\n`;
  };
  return () => {
    const number = (lastNumber += 1);
    const text = pieces.reduce((written, piece) => written + write(piece, number), '');
    return {
      number,
      bytes: Buffer.from(`${head}${signed(text)}content-length: ${text.length}\r\n\r\n${text}`, 'latin1'),
    };
  };
};

interface Connection {
  /** Sends a request; one at a time. Calls back when the response has been read to its end. */
  readonly send: (bytes: Buffer, responded: () => void) => void;
  readonly close: () => void;
}

const headEnd = '\r\n\r\n';
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads the head of a response: how many bytes of the body are missing. Returns undefined if its end is missing. Throws if it
 * has another status or no length.
 */
const readHead = (data: Buffer, expected: number): number | undefined => {
  const end = data.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!head.startsWith(`HTTP/1.1 ${expected} `) || length === undefined)
    throw new Error(`expected status ${expected} with a content-length, received:\n${data.toString()}`);
  return end + headEnd.length + Number(length) - data.length;
};

/** Opens a connection for requests whose responses have an expected status. Anything else throws uncaught. */
const openConnection = async ({ asked: { url, expected } }: Load): Promise<Connection> => {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let [head, missing] = [nothing, 0];
  let responded: (() => void) | undefined;

  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const left = readHead(head, expected);
      if (left === undefined) return;
      [head, missing] = [nothing, left];
    }
    if (missing > 0) return;
    const call = responded;
    responded = undefined;
    call?.();
  });
  socket.once('close', () => {
    if (responded) throw new Error('the server closed a connection before it responded');
  });
  return {
    send: (bytes, then) => {
      responded = then;
      socket.write(bytes);
    },
    close: () => socket.destroy(),
  };
};

type SendNext = (connection: Connection) => Promise<void>;

/** Each connection sends the next request when it has the response to the last. */
const steadily = async (load: Load, until: number, sendNext: SendNext): Promise<void> => {
  const repeat = async (): Promise<void> => {
    const connection = await openConnection(load);
    while (performance.now() < until) await sendNext(connection);
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, repeat));
};

/** Requests start at fixed times, on a free connection or a new one. */
const atRate = async (load: Load, perSecond: number, until: number, sendNext: SendNext): Promise<void> => {
  const [free, all]: [Connection[], Promise<void>[]] = [[], []];
  const start = performance.now();
  const sendOnce = async (): Promise<void> => {
    const connection = free.pop() ?? (await openConnection(load));
    await sendNext(connection);
    free.push(connection);
  };
  for (let time = start; time < until; time += 1_000 / perSecond) {
    await pause(Math.max(0, time - performance.now()));
    all.push(sendOnce());
  }
  await Promise.all(all);
  for (const connection of free) connection.close();
};

/** Keeps this process awake until it is disposed. */
const stayAwake = (): Disposable => {
  const again = (): void => {
    next = setImmediate(again);
  };
  let next = setImmediate(again);
  return { [Symbol.dispose]: () => clearImmediate(next) };
};

const runLoad = async (load: Load): Promise<Rate> => {
  const { asked, seconds, warmUpSeconds, perSecond } = load;
  using _awake = load.polls ? stayAwake() : undefined;
  const nextRequest = requestWriter(asked);
  const measuredFrom = performance.now() + warmUpSeconds * 1_000;
  const until = measuredFrom + seconds * 1_000;
  const measured: { readonly number: number; readonly start: number; readonly end: number }[] = [];
  let operations = 0;
  const sendNext: SendNext = (connection) =>
    new Promise((resolve) => {
      const { number, bytes } = nextRequest();
      const start = performance.now();
      connection.send(bytes, () => {
        const end = performance.now();
        resolve();
        operations += 1;
        const isMeasured = perSecond === undefined ? start >= measuredFrom && end <= until : start >= measuredFrom;
        if (isMeasured) measured.push({ number, start, end });
      });
    });
  await (perSecond === undefined ? steadily(load, until, sendNext) : atRate(load, perSecond, until, sendNext));

  if (measured.length === 0) throw new Error(`${asked.url} responded to nothing within ${seconds} s`);
  const durations = measured.map(({ start, end }) => end - start);
  return {
    operations,
    perSecond: measured.length / seconds,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    responses: perSecond === undefined ? [] : measured.map(({ number, end }) => [number, performance.timeOrigin + end]),
  };
};

if (import.meta.main) respond((message) => runLoad(loadSchema.parse(message)));
