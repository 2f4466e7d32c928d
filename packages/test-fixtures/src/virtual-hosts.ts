import { startRabbitmq } from '@leadback/local-stack';
import { givenServer, type TestServer } from './given-server.ts';
import { virtualHostsInAdvance } from './virtual-hosts-in-advance.ts';

/**
 * Each HTTP request returns the URL of a new virtual host. RabbitMQ starts at the first request, because a start costs
 * six CPU seconds.
 */
export const virtualHosts = async (dir: string): Promise<TestServer> => {
  const start = async () => {
    const broker = await startRabbitmq({ dir });
    return { broker, nextHost: virtualHostsInAdvance(broker) };
  };
  let starting: ReturnType<typeof start> | undefined;
  const nextUrl = async () => {
    starting ??= start();
    const { nextHost } = await starting;
    return (await nextHost()).url;
  };
  const server = await givenServer((_request, response) => {
    nextUrl().then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await (await starting)?.broker.stop();
    },
  };
};
