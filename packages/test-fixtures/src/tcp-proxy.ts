import { createConnection, createServer, type Socket } from 'node:net';

type Break = 'reset' | 'end' | 'silence';

export interface TcpProxy extends AsyncDisposable {
  /** The given address, by way of the proxy. */
  readonly url: string;
  /** Resets every connection and takes no more, as a server does that has gone. */
  cut(): void;
  /** From now on nothing gets through, and nobody is told: connections stay open. */
  blackHole(): void;
  /** Becomes a black hole the moment a client has sent this text: the server acts on it, the answer is lost. Resolves then. */
  blackHoleAfter(text: string): Promise<void>;
  /** Resets every connection; new ones are taken. */
  reset(): void;
  /**
   * Breaks so many connections, each the moment its client sends this text: with a reset, with an end in good order, or
   * by letting nothing through any more. Resolves when the last of them has been broken.
   */
  breakAt(text: string, how: Break, times: number): Promise<void>;
  /** Lets everything through again on new connections; those that were open are reset. */
  heal(): Promise<void>;
}

/** Stands between one of our apps and a server, and lets it fall silent. */
export const tcpProxy = async (target: string): Promise<TcpProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isBlackHole = false;
  let breaks: { text: string; how: Break; left: number; done: () => void } | undefined;
  let trap: { text: string; sprung: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    let isSilent = false;
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
        const isTrapped = from === client && trap !== undefined && data.includes(trap.text);
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
  const url = new URL(target);
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
    blackHoleAfter: (text) =>
      new Promise<void>((resolve) => {
        trap = { text, sprung: resolve };
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
