import { type LocalBroker, startRabbitmq } from '@leadback/local-stack';
import { givenServer, type TestServer } from './given-server.ts';
import { unique } from './unique.ts';

/**
 * Each HTTP request returns the URL of a new virtual host. RabbitMQ starts at the first request, because a start costs
 * six CPU seconds.
 */
export const virtualHosts = async (dir: string): Promise<TestServer> => {
  let starting: Promise<LocalBroker> | undefined;
  const add = async () => {
    starting ??= startRabbitmq({ dir });
    return (await starting).addVirtualHost(unique('host'));
  };
  const server = await givenServer((_request, response) => {
    add().then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await (await starting)?.stop();
    },
  };
};
