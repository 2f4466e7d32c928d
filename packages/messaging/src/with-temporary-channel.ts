import type { Channel, ChannelModel } from 'amqplib';
import { z } from 'zod';

/** Does nothing if a refusal has closed it. */
const close = async (channel: Channel): Promise<void> => {
  try {
    await channel.close();
  } catch {
    // it has just been closed
  }
};

/**
 * Runs an operation on its own channel: a refusal closes only that channel. Throws the error of RabbitMQ; see
 * `amqpErrorCode`.
 */
export const withTemporaryChannel = async <Result>(
  connection: ChannelModel,
  run: (channel: Channel) => Promise<Result>,
): Promise<Result> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {}); // the operation fails with the channel
  try {
    return await run(channel);
  } finally {
    await close(channel);
  }
};

const amqpErrorSchema = z.object({ code: z.number() });

/** The AMQP error code, such as 404 for a missing queue; undefined for other errors. */
export const amqpErrorCode = (error: unknown): number | undefined => amqpErrorSchema.safeParse(error).data?.code;
