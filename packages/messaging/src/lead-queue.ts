import { randomUUID } from 'node:crypto';
import { type Keys, encryptLead, decryptLead, type BufferedLead } from '@leadback/domain';
import { confirmedPublisher, type PublisherOptions } from './confirmed-publisher.ts';
import { type QueueConsumer, queueConsumer } from './queue-consumer.ts';
import { deadLeadQueue, declareLeads, leadExchange, leadQueue } from './topology.ts';

export interface LeadQueueOptions extends PublisherOptions {
  /** Under which leads are sealed. */
  readonly keys: Keys;
  /** Gives whether the lead is recorded now; false where it never can be. Throws where it has to be tried again. */
  readonly record: (lead: BufferedLead) => Promise<boolean>;
  /** A message that is none of our leads, or one that can never be recorded; it is laid with the dead letters. */
  readonly onDead: () => void;
  /** A lead was handed to the broker, which has confirmed that it keeps it, or has not within its time. */
  readonly onPublished?: (publication: { readonly isConfirmed: boolean; readonly durationMs: number }) => void;
}

/** Where leads wait while the database is away. Every landing app puts into it, and takes from it while it can write. */
export interface LeadQueue extends AsyncDisposable {
  /** Begins to take leads out, or leaves them to others: who cannot write them must not sit on them. */
  setConsuming(isWanted: boolean): void;
  /** Gives whether the broker keeps the lead now. Never throws. */
  enqueue(lead: BufferedLead): Promise<boolean>;
  /** Whether a lead may still be in there, as far as this app knows. Asked again and again, it comes to know. */
  mayHoldLeads(): Promise<boolean>;
  /** How many leads are with the dead letters; undefined while the broker is away. */
  deadLeads(): Promise<number | undefined>;
  /** Whether the broker takes leads, as far as we know. */
  isUp(): boolean;
}

// a visitor is waiting, and there is the disk
const confirmTimeoutMs = 1_500;
const prefetch = 500;
// a lead on its way into the queue, or out of it to a consumer, may be missed once
const emptyRoundsMin = 2;

export const openLeadQueue = ({ keys, record, onDead, onPublished, ...options }: LeadQueueOptions): LeadQueue => {
  const publisher = confirmedPublisher({ ...options, declare: declareLeads, confirmTimeoutMs });
  const consume = () =>
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
    });
  let consumer: QueueConsumer | undefined;
  let leaving = Promise.resolve();
  let emptyRounds = 0;

  const leave = (): void => {
    const last = consumer;
    consumer = undefined;
    leaving = Promise.all([leaving, last?.[Symbol.asyncDispose]()]).then(() => {});
  };

  return {
    setConsuming(isWanted) {
      if (isWanted) consumer ??= consume();
      else leave();
    },
    async enqueue(lead) {
      if (!publisher.canTake(1)) return false;
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
      // while the broker is away it holds what it held
      if (length !== undefined) emptyRounds = length === 0 ? emptyRounds + 1 : 0;
      return emptyRounds < emptyRoundsMin || (consumer?.underWay() ?? 0) > 0;
    },
    deadLeads: () => publisher.queueLength(deadLeadQueue),
    isUp: () => publisher.isUp(),
    async [Symbol.asyncDispose]() {
      leave();
      await Promise.all([leaving, publisher[Symbol.asyncDispose]()]);
    },
  };
};
