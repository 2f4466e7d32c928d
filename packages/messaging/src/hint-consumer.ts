import { type ParcelHint, readHint } from './hint-message.ts';
import { type PausableConsumer, pausableConsumer } from './pausable-consumer.ts';
import { type ConsumerOptions, queueConsumer } from './queue-consumer.ts';
import { declareHints, hintQueue } from './topology.ts';

export type HintConsumer = PausableConsumer;

export interface HintConsumerOptions extends ConsumerOptions {
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
