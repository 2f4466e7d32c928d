import { randomUUID } from 'node:crypto';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/domain/keys';
import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { confirmedPublisher, type PublisherOptions } from './publisher.ts';
import { pausableConsumer, queueConsumer } from './consumer.ts';
import { deadLeadQueue, declareLeads, leadExchange, leadQueue } from './topology.ts';
import { checkedTls, readBrokerUrl } from './connection.ts';

export interface LeadQueueOptions extends PublisherOptions {
  /** Encrypt the leads. */
  readonly keys: Keys;
  /** Returns whether the lead is recorded, or false if it can never be. Throws if it must be retried. */
  readonly record: (lead: BufferedLead) => Promise<boolean>;
  /** Called when a message is dead-lettered: it is not a lead, or can never be recorded. */
  readonly onDead: () => void;
  /** Called for each lead that RabbitMQ did not take because the queue is full. */
  readonly onFull?: () => void;
  /** Called after each publish. */
  readonly onPublished?: (publication: { readonly isConfirmed: boolean; readonly durationMs: number }) => void;
}

/** The queue of buffered leads. Every landing app publishes to it, and consumes it while PostgreSQL is available. */
export interface LeadQueue extends AsyncDisposable {
  /** Starts or stops consuming. An app that cannot record leads must not hold any. */
  setConsuming(isConsuming: boolean): void;
  /** Returns whether RabbitMQ confirmed the lead. Never throws. */
  enqueue(lead: BufferedLead): Promise<boolean>;
  /** Whether the queue may hold leads, as far as this app knows. Becomes accurate when called repeatedly. */
  mayHoldLeads(): Promise<boolean>;
  /** Length of the dead-letter queue; undefined if RabbitMQ is unavailable. */
  deadLeads(): Promise<number | undefined>;
  /** Whether RabbitMQ accepts leads, as far as this app knows. */
  isUp(): boolean;
}

// a visitor is waiting, and the disk is the fallback
const confirmTimeoutMs = 1_500;
const prefetch = 500;
// one measurement may miss a lead that is being published or delivered
const emptyRoundsMin = 2;

export const openLeadQueue = ({
  keys,
  record,
  onDead,
  onFull,
  onPublished,
  ...options
}: LeadQueueOptions): LeadQueue => {
  const publisher = confirmedPublisher({ ...options, declare: declareLeads, confirmTimeoutMs, onRejected: onFull });
  const consumer = pausableConsumer(() =>
    queueConsumer({
      url: options.url,
      prefetch,
      queues: [leadQueue],
      declare: declareLeads,
      async handle(content) {
        const lead = decryptLead(keys, content);
        if (lead !== undefined && (await record(lead))) return 'done';
        onDead();
        return 'dead';
      },
    }),
  );
  let emptyRounds = 0;

  return {
    setConsuming: (isConsuming) => consumer.setConsuming(isConsuming),
    async enqueue(lead) {
      if (!publisher.canTake()) return false;
      emptyRounds = 0;
      const since = performance.now();
      const isConfirmed = await publisher.publish({
        exchange: leadExchange,
        routingKey: leadQueue,
        messageId: randomUUID(),
        type: 'lead',
        contentType: 'application/octet-stream',
        content: encryptLead(keys, lead),
      });
      onPublished?.({ isConfirmed, durationMs: performance.now() - since });
      return isConfirmed;
    },
    async mayHoldLeads() {
      const length = await publisher.queueLength(leadQueue);
      // while RabbitMQ is unavailable, the last known state holds
      if (length !== undefined) emptyRounds = length === 0 ? emptyRounds + 1 : 0;
      return emptyRounds < emptyRoundsMin || consumer.underWay() > 0;
    },
    deadLeads: () => publisher.queueLength(deadLeadQueue),
    isUp: () => publisher.isUp(),
    async [Symbol.asyncDispose]() {
      await Promise.all([consumer[Symbol.asyncDispose](), publisher[Symbol.asyncDispose]()]);
    },
  };
};

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
