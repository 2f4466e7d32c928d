import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { continueTrace, markFailed, SpanKind, traceParentOf } from '../trace/index.ts';
import { type PausableConsumer, pausableConsumer, type ConsumerOptions, queueConsumer } from './consumer.ts';
import { declareHints, hintQueue, declareHintExchange, hintExchange } from './topology.ts';
import { type ConfirmedPublisher, confirmedPublisher, type PublisherOptions } from './publisher.ts';

/** A parcel that a worker may claim: `size` is the number of its deliveries. */
export interface ParcelHint {
  readonly id: number;
  readonly connectionId: number;
  readonly size: number;
  /** W3C `traceparent`, if it is traced. */
  readonly traceParent?: string | undefined;
}

const id = z.int().positive();

/** The message only has ids: the data stays in PostgreSQL, and no personal data passes through RabbitMQ. */
const hintSchema = z.object({ v: z.literal(2), parcels: z.array(z.tuple([id, id, id], z.string())).min(1) });

export const writeHint = (parcels: readonly ParcelHint[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      v: 2,
      parcels: parcels.map(({ id: parcelId, connectionId, size, traceParent }) =>
        traceParent === undefined ? [parcelId, connectionId, size] : [parcelId, connectionId, size, traceParent],
      ),
    } satisfies z.input<typeof hintSchema>),
  );

/** Returns undefined for unknown messages and versions. */
export const readHint = (content: Buffer): ParcelHint[] | undefined => {
  try {
    const { parcels } = hintSchema.parse(JSON.parse(content.toString()));
    return parcels.map(([parcelId, connectionId, size, traceParent]) => ({
      id: parcelId,
      connectionId,
      size,
      traceParent,
    }));
  } catch {
    return undefined;
  }
};

export type HintConsumer = PausableConsumer;

interface HintConsumerOptions extends ConsumerOptions {
  /** Throws if the parcels could not be claimed now (PostgreSQL is unavailable): the message is redelivered. */
  readonly handle: (parcels: readonly ParcelHint[]) => Promise<void>;
  /** Called for an unknown message or version; it is dropped. */
  readonly onForeignMessage?: () => void;
}

/** Consumes hints once `setConsuming` says so. */
export const hintConsumer = ({ handle, onForeignMessage, ...options }: HintConsumerOptions): HintConsumer =>
  pausableConsumer(() =>
    queueConsumer({
      ...options,
      queues: [hintQueue],
      declare: declareHints,
      async handle(content) {
        const parcels = readHint(content);
        if (parcels !== undefined) await handle(parcels);
        else onForeignMessage?.();
        return 'done';
      },
    }),
  );

export interface HintPublisher extends AsyncDisposable, Pick<ConfirmedPublisher, 'isUp'> {
  /**
   * Tells the workers about parcels that were committed together, in one message. Returns whether RabbitMQ confirmed it
   * within 10 s. Never throws. Without a hint, the workers find the parcels themselves, a moment later.
   */
  publish(parcels: readonly ParcelHint[]): Promise<boolean>;
}

const confirmTimeoutMs = 10_000;

export const hintPublisher = (options: PublisherOptions): HintPublisher => {
  const publisher = confirmedPublisher({ ...options, declare: declareHintExchange, confirmTimeoutMs });

  return {
    async publish(parcels) {
      const messageId = randomUUID();
      const spans = parcels.map(({ traceParent }) =>
        continueTrace(traceParent, `send ${hintQueue}`, {
          kind: SpanKind.PRODUCER,
          attributes: {
            'messaging.system': 'rabbitmq',
            'messaging.operation.name': 'send',
            'messaging.operation.type': 'send',
            'messaging.destination.name': hintQueue,
            'messaging.message.id': messageId,
          },
        }),
      );
      const isConfirmed = await publisher.publish({
        exchange: hintExchange,
        routingKey: hintQueue,
        messageId,
        type: 'hint',
        contentType: 'application/json',
        content: writeHint(
          parcels.map((parcel, index) => {
            const span = spans[index];
            return { ...parcel, traceParent: span && traceParentOf(span) };
          }),
        ),
      });
      for (const span of spans) {
        if (!isConfirmed) markFailed(span, 'not_confirmed');
        span.end();
      }
      return isConfirmed;
    },
    isUp: () => publisher.isUp(),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
};
