import type { Channel, ChannelModel } from 'amqplib';
import { withTemporaryChannel, amqpErrorCode } from './connection.ts';

export const hintExchange = 'delivery';
/** Hints about new parcels of deliveries. Queue arguments cannot change: hence v1. */
export const hintQueue = 'delivery.hint.v1';

export const leadExchange = 'lead';
/** Buffered leads. */
export const leadQueue = 'lead.waiting.v1';
const deadLeadExchange = 'lead.dlx';
/** Leads that can never be recorded. */
export const deadLeadQueue = 'lead.dead.v1';

export type Declarer = Pick<Channel, 'assertExchange' | 'assertQueue' | 'bindQueue'>;

const quorum = { 'x-queue-type': 'quorum' };

const declareExchange = (channel: Declarer) => channel.assertExchange(hintExchange, 'direct', { durable: true });

/** Declares the queue of hints. Every consumer does so first; an existing one stays unchanged. */
export const declareHints = async (channel: Declarer): Promise<void> => {
  await declareExchange(channel);
  await channel.assertQueue(hintQueue, {
    durable: true,
    arguments: {
      ...quorum,
      // A lost hint costs a moment: workers find due parcels themselves. So nothing is dead-lettered, and what no worker
      // has taken by now is not worth keeping.
      'x-delivery-limit': 20,
      'x-message-ttl': 60_000,
      'x-overflow': 'drop-head',
      'x-max-length': 100_000,
    },
  });
  await channel.bindQueue(hintQueue, hintExchange, hintQueue);
};

/**
 * Declares the exchange of hints and binds the queue if it exists. A publisher creates no queue: that takes the
 * permission to consume it.
 */
export const declareHintExchange = async (channel: Channel, connection: ChannelModel): Promise<void> => {
  await declareExchange(channel);
  try {
    await withTemporaryChannel(connection, (temporary) => temporary.bindQueue(hintQueue, hintExchange, hintQueue));
  } catch (error) {
    if (amqpErrorCode(error) !== 404) throw error;
  }
};

/** Declares the queues of buffered leads. The first landing app to connect creates them. */
export const declareLeads = async (channel: Declarer): Promise<void> => {
  await channel.assertExchange(deadLeadExchange, 'fanout', { durable: true });
  await channel.assertQueue(deadLeadQueue, {
    durable: true,
    arguments: {
      ...quorum,
      // A full disk stops all publishers. What no longer fits waits in the queue of buffered leads, which is limited as well:
      // with drop-head, garbage would push out leads
      'x-max-length-bytes': 1024 ** 3,
      'x-overflow': 'reject-publish',
    },
  });
  await channel.bindQueue(deadLeadQueue, deadLeadExchange, '');
  await channel.assertExchange(leadExchange, 'direct', { durable: true });
  await channel.assertQueue(leadQueue, {
    durable: true,
    arguments: {
      ...quorum,
      // practically unlimited: a lead must not be dead-lettered because it was retried. 4.x accepts -1 for no limit,
      // but 3.10 dead-letters at the second delivery then (observed), and without the argument 4.x uses 20
      'x-delivery-limit': 1_000_000_000,
      'x-dead-letter-exchange': deadLeadExchange,
      'x-dead-letter-strategy': 'at-least-once',
      // a full queue refuses leads; they are buffered on disk. A policy limits its bytes: see deploy/rabbitmq/definitions.json
      'x-overflow': 'reject-publish',
      'x-max-length': 1_000_000,
    },
  });
  await channel.bindQueue(leadQueue, leadExchange, leadQueue);
};
