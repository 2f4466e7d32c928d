import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { deadLeadQueue, leadExchange, leadQueue } from './topology.ts';

const messagesPerRound = 100;

const take = async (channel: ConfirmChannel, messagesMax: number): Promise<GetMessage[]> => {
  const messages: GetMessage[] = [];
  while (messages.length < messagesMax) {
    const message = await channel.get(deadLeadQueue);
    if (message === false) break;
    messages.push(message);
  }
  return messages;
};

/**
 * Moves the leads that could not be written back to those that wait for it; gives how many that were. What landing apps
 * lay down again meanwhile stays. Throws where the broker cannot be reached, no landing app has made the queues, or it does
 * not take them: each is then in one of both queues, or in both, which writes it once.
 */
export const replayDeadLeads = async (url: string): Promise<number> => {
  const connection = await connect(url, { timeout: 5_000 });
  connection.on('error', () => {}); // what is asked then fails as well
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => {});
    let isReturned = false;
    channel.on('return', () => {
      isReturned = true; // somebody takes the queue away just now
    });
    const { messageCount } = await channel.checkQueue(deadLeadQueue);
    let moved = 0;
    while (moved < messageCount) {
      const messages = await take(channel, Math.min(messagesPerRound, messageCount - moved));
      if (messages.length === 0) break;
      for (const { content, properties } of messages) {
        const { messageId, type, contentType, appId } = properties;
        channel.publish(leadExchange, leadQueue, content, {
          mandatory: true,
          persistent: true,
          messageId,
          type,
          contentType,
          appId,
        });
      }
      await channel.waitForConfirms();
      if (isReturned) throw new Error('RabbitMQ has nowhere to put them');
      for (const message of messages) channel.ack(message);
      moved += messages.length;
    }
    await channel.close(); // not before the broker has heard of what was acknowledged
    return moved;
  } finally {
    await connection.close().catch(() => {});
  }
};
