import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Balanced extends AsyncDisposable {
  /** The first target with the address of the balancer. */
  readonly url: string;
}

/** One address for several servers, like a TCP load balancer: each connection leads to the next one that accepts it. */
export const balancedUrl = async (targets: readonly string[]): Promise<Balanced> => {
  const [url, ...others] = targets.map((target) => new URL(target));
  if (!url) throw new Error('a balancer needs a target');
  const ports = [url, ...others].map(({ port }) => Number(port));
  const open = new Set<Socket>();
  let next = 0;

  const connectToAny = async (): Promise<Socket | undefined> => {
    for (let tried = 0; tried < ports.length; tried += 1) {
      next = (next + 1) % ports.length;
      const upstream = connect(ports[next] ?? 0, '127.0.0.1');
      const connected = await once(upstream, 'connect').then(
        () => true,
        () => false,
      );
      if (connected) return upstream;
    }
    return undefined;
  };

  const lead = async (client: Socket) => {
    client.on('error', () => {});
    const upstream = await connectToAny();
    if (!upstream) {
      client.resetAndDestroy();
      return;
    }
    upstream.on('error', () => {});
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      open.add(from);
      from.pipe(to);
      from.once('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  };
  // nothing is read until it can be passed on
  const server = createServer({ pauseOnConnect: true }, (client) => void lead(client));
  server.listen(0, '127.0.0.1');
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
