import { type PlatformName, platformNames } from '@leadback/domain';
import type { Channel, ChannelModel } from 'amqplib';
import { withTemporaryChannel, amqpErrorCode } from './with-temporary-channel.ts';

export const feedbackExchange = 'feedback';
const deadLetterExchange = 'feedback.dlx';
export const deadLetterQueue = 'feedback.dead.v1';

export const leadExchange = 'lead';
/** Buffered leads. */
export const leadQueue = 'lead.waiting.v1';
const deadLeadExchange = 'lead.dlx';
/** Leads that can never be recorded. */
export const deadLeadQueue = 'lead.dead.v1';

/**
 * One queue per platform, so that an unavailable platform does not delay others. Queue arguments cannot change: hence
 * v1.
 */
export const feedbackQueues: Record<PlatformName, string> = {
  meta: 'feedback.meta.v1',
  google: 'feedback.google.v1',
  tiktok: 'feedback.tiktok.v1',
};

export type Declarer = Pick<Channel, 'assertExchange' | 'assertQueue' | 'bindQueue'>;

const quorum = { 'x-queue-type': 'quorum' };

const declareFeedbackExchange = (channel: Declarer) =>
  channel.assertExchange(feedbackExchange, 'direct', { durable: true });

/** Declares the queues of deliveries. Every consumer does so first; existing ones stay unchanged. */
export const declareFeedback = async (channel: Declarer): Promise<void> => {
  await channel.assertExchange(deadLetterExchange, 'fanout', { durable: true });
  await channel.assertQueue(deadLetterQueue, { durable: true, arguments: { ...quorum, 'x-max-length': 100_000 } });
  await channel.bindQueue(deadLetterQueue, deadLetterExchange, '');
  await declareFeedbackExchange(channel);
  for (const platform of platformNames) {
    await channel.assertQueue(feedbackQueues[platform], {
      durable: true,
      arguments: {
        ...quorum,
        // set explicitly: the default is no limit in 3.x and this limit in 4.x
        'x-delivery-limit': 20,
        'x-dead-letter-exchange': deadLetterExchange,
        'x-dead-letter-strategy': 'at-least-once',
        // a full queue refuses messages, and their deliveries stay due in PostgreSQL; at-least-once requires this
        // setting
        'x-overflow': 'reject-publish',
        'x-max-length': 100_000,
      },
    });
    await channel.bindQueue(feedbackQueues[platform], feedbackExchange, platform);
  }
};

const bindIfExists = async (connection: ChannelModel, platform: PlatformName): Promise<void> => {
  try {
    await withTemporaryChannel(connection, (channel) =>
      channel.bindQueue(feedbackQueues[platform], feedbackExchange, platform),
    );
  } catch (error) {
    if (amqpErrorCode(error) !== 404) throw error;
  }
};

/**
 * Declares the exchange of deliveries and binds the existing queues. A publisher creates no queue: that takes the
 * permission to consume it.
 */
export const declarePublisherTopology = async (channel: Channel, connection: ChannelModel): Promise<void> => {
  await declareFeedbackExchange(channel);
  await Promise.all(platformNames.map((platform) => bindIfExists(connection, platform)));
};

/** Declares the queues of buffered leads. The first landing app to connect creates them. */
export const declareLeads = async (channel: Declarer): Promise<void> => {
  await channel.assertExchange(deadLeadExchange, 'fanout', { durable: true });
  await channel.assertQueue(deadLeadQueue, { durable: true, arguments: quorum });
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
      // a full queue refuses leads; they are buffered on disk
      'x-overflow': 'reject-publish',
      'x-max-length': 1_000_000,
    },
  });
  await channel.bindQueue(leadQueue, leadExchange, leadQueue);
};
