import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { checkedTls, readBrokerUrl } from './broker-server.ts';
import { deadLeadQueue, leadExchange, leadQueue } from './topology.ts';

const messagesPerRound = 100;

const fetchMessages = async (channel: ConfirmChannel, messagesMax: number): Promise<GetMessage[]> => {
  const messages: GetMessage[] = [];
  while (messages.length < messagesMax) {
    const message = await channel.get(deadLeadQueue);
    if (message === false) break;
    messages.push(message);
  }
  return messages;
};

/**
 * Moves dead-lettered leads back to the queue of buffered leads and returns their number. Leads that are dead-lettered
 * again meanwhile stay. Throws if RabbitMQ is unavailable, the queues do not exist, or RabbitMQ does not confirm: each
 * lead is then in one of the queues, or in both, which is harmless because a lead is recorded once.
 */
export const replayDeadLeads = async (url: string): Promise<number> => {
  const connection = await connect(readBrokerUrl(url), { ...checkedTls, timeout: 5_000 });
  connection.on('error', () => {}); // the operation fails with the connection
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => {});
    let isReturned = false;
    channel.on('return', () => {
      isReturned = true; // the queue has just been deleted
    });
    const { messageCount } = await channel.checkQueue(deadLeadQueue);
    let moved = 0;
    while (moved < messageCount) {
      const messages = await fetchMessages(channel, Math.min(messagesPerRound, messageCount - moved));
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
      if (isReturned) throw new Error(`RabbitMQ returned a lead: the queue ${leadQueue} does not exist`);
      for (const message of messages) channel.ack(message);
      moved += messages.length;
    }
    await channel.close(); // flushes the acknowledgements
    return moved;
  } finally {
    await connection.close().catch(() => {});
  }
};
