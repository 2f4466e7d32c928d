import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Balanced extends AsyncDisposable {
  /** The first target with the address of the balancer. */
  readonly url: string;
}

/**
 * One address for several servers, like a TCP load balancer: each connection leads to the next one that accepts it. Default: a
 * free port.
 */
export const balancedUrl = async (targets: readonly string[], ownPort = 0): Promise<Balanced> => {
  const [url, ...others] = targets.map((target) => new URL(target));
  if (!url) throw new Error('a balancer needs a target');
  const ports = [url, ...others].map(({ port }) => Number(port));
  const open = new Set<Socket>();
  let next = 0;

  const connectToAny = async (): Promise<Socket | undefined> => {
    const first = next;
    next += 1;
    for (let tried = 0; tried < ports.length; tried += 1) {
      const upstream = connect(ports[(first + tried) % ports.length] ?? 0, '127.0.0.1');
      const connected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (connected) return upstream;
    }
    return undefined;
  };

  const forward = async (client: Socket) => {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    const upstream = await connectToAny();
    if (!upstream || client.destroyed) {
      client.resetAndDestroy();
      upstream?.destroy();
      return;
    }
    open.add(upstream);
    upstream.on('error', () => {});
    upstream.once('close', () => open.delete(upstream));
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      from.pipe(to);
      from.once('close', () => to.destroy());
    }
  };
  // nothing is read until it can be passed on
  const server = createServer({ pauseOnConnect: true }, (client) => void forward(client));
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  url.port = String(address.port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};
