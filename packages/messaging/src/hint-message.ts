import { z } from 'zod';

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
