import { randomUUID } from 'node:crypto';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/secrets';
import { confirmedPublisher, type PublisherOptions } from './confirmed-publisher.ts';
import { pausableConsumer } from './pausable-consumer.ts';
import { queueConsumer } from './queue-consumer.ts';
import { deadLeadQueue, declareLeads, leadExchange, leadQueue } from './topology.ts';

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
