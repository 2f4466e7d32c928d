import { startRabbitmq } from '@leadback/local-stack';
import { givenServer, type TestServer } from './given-server.ts';
import { virtualHostsInAdvance } from './virtual-hosts-in-advance.ts';

/**
 * Each POST returns the URL of a new virtual host, or the output of rabbitmqctl if it names arguments. RabbitMQ starts
 * at the first request, because a start costs three CPU seconds.
 */
export const sharedBroker = async (dir: string): Promise<TestServer> => {
  const start = async () => {
    const broker = await startRabbitmq({ dir });
    return { broker, nextHost: virtualHostsInAdvance(broker) };
  };
  let starting: ReturnType<typeof start> | undefined;
  const answerTo = async (path: string) => {
    starting ??= start();
    const { broker, nextHost } = await starting;
    const command = new URL(path, 'http://localhost').searchParams.getAll('argument');
    return command.length > 0 ? broker.ctl(...command) : (await nextHost()).url;
  };
  const server = await givenServer((request, response) => {
    answerTo(request.url ?? '').then(
      (answer) => response.end(answer),
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
