import { randomUUID } from 'node:crypto';
import { continueTrace, markFailed, SpanKind, traceParentOf } from '@leadback/tracing';
import { type ConfirmedPublisher, confirmedPublisher, type PublisherOptions } from './confirmed-publisher.ts';
import { type ParcelHint, writeHint } from './hint-message.ts';
import { declareHintExchange, hintExchange, hintQueue } from './topology.ts';

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
