import type { ComposeStack } from './compose-stack.ts';

/** The queues of RabbitMQ, with the columns of `rabbitmqctl list_queues`. */
export const listQueues = async ({ compose }: ComposeStack, ...columns: readonly string[]): Promise<unknown> => {
  const inContainer = ['exec', '--no-TTY', '--user', 'rabbitmq', 'rabbitmq'];
  const list = ['rabbitmqctl', '--silent', '--vhost', 'leadback', 'list_queues', '--formatter', 'json'];
  return JSON.parse(await compose(...inContainer, ...list, ...columns));
};
