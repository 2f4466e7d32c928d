import { createConnection, createServer, type Socket } from 'node:net';

type Break = 'reset' | 'end' | 'silence';

export interface TcpProxy extends AsyncDisposable {
  /** The target URL through the proxy. */
  readonly url: string;
  /** Resets every connection and refuses new ones, like a stopped server. */
  cut(): void;
  /** Drops all data from now on; connections stay open. */
  blackHole(): void;
  /**
   * Drops all data after a connection has sent this text, which the server still receives, later than `onceSaid`. Resolves
   * then.
   */
  blackHoleAfter(text: string, onceSaid: string): Promise<void>;
  /** Resets every connection; accepts new ones. */
  reset(): void;
  /**
   * Breaks as many connections as `times`, each when its client sends this text: with a reset, a normal end, or silence.
   * Resolves when the last one is broken.
   */
  breakAt(text: string, how: Break, times: number): Promise<void>;
  /** Forwards new connections again; resets the open ones. */
  heal(): Promise<void>;
}

/** A proxy between an app and a server that can break connections. */
export const tcpProxy = async (target: string): Promise<TcpProxy> => {
  const url = new URL(target);
  // the Unix socket of a local PostgreSQL, which has a TCP port as well: a Unix socket cannot be reset
  if (url.hostname.startsWith('%2F')) url.hostname = '127.0.0.1';
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let breaks: { text: string; how: Break; left: number; done: () => void } | undefined;
  let trap: { text: string; onceSaid: string; sprung: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    let isSilent = false;
    let isSaid = false;
    const breakOff = (how: Break) => {
      isSilent = true;
      if (how === 'reset') client.resetAndDestroy();
      if (how === 'end') client.end();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (isBlackHole || isSilent) return;
        if (from === client && breaks && breaks.left > 0 && data.includes(breaks.text)) {
          breakOff(breaks.how);
          breaks.left -= 1;
          if (breaks.left === 0) breaks.done();
          return;
        }
        const isTrapped = from === client && trap !== undefined && isSaid && data.includes(trap.text);
        isSaid ||= from === client && trap !== undefined && data.includes(trap.onceSaid);
        to.write(data);
        if (isTrapped) {
          isBlackHole = true;
          trap?.sprung();
        }
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isBlackHole) to.destroy();
      });
    }
  });
  const listen = (at: number) =>
    new Promise<void>((resolve) => {
      server.listen(at, '127.0.0.1', resolve);
    });
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  url.port = String(address.port);

  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut: () => {
      server.close();
      reset();
    },
    blackHole: () => {
      isBlackHole = true;
    },
    blackHoleAfter: (text, onceSaid) =>
      new Promise<void>((resolve) => {
        trap = { text, onceSaid, sprung: resolve };
      }),
    reset,
    breakAt: (text, how, times) =>
      new Promise<void>((resolve) => {
        breaks = { text, how, left: times, done: resolve };
      }),
    heal: async () => {
      reset();
      isBlackHole = false;
      trap = undefined;
      if (!server.listening) await listen(address.port);
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        reset();
      }),
  };
};
