import type { IncomingMessage } from 'node:http';
import { Refusal } from '@leadback/domain';
import type { Request } from 'express';
import getRawBody from 'raw-body';

/** Whether the caller broke off before its body was complete. */
export const isBrokenOff = ({ errored, destroyed, complete }: IncomingMessage): boolean =>
  errored !== null || (destroyed && !complete);

/** What a body that cannot be read means: that its caller broke off, whenever that was noticed, or the error itself. */
export const refusalOfBroken = (request: IncomingMessage, error: unknown): unknown =>
  isBrokenOff(request) ? new Refusal('invalid-json.incomplete') : error;

/** Reads a body of at most so many bytes. */
export const rawBody = async (request: Request, bytesMax: number, tooLarge: () => Refusal): Promise<Buffer> => {
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit: bytesMax, ...(length !== undefined && { length }) });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    throw type === 'entity.too.large' ? tooLarge() : refusalOfBroken(request, error);
  }
};
