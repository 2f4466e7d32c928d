import { type LocalBroker, startRabbitmq } from '@leadback/local-stack';
import { givenServer, type TestServer } from './given-server.ts';
import { unique } from './unique.ts';

/**
 * Gives whoever asks over HTTP the address of a virtual host of their own. The RabbitMQ that has them is started for the
 * first who asks: a start costs six seconds of a core.
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
