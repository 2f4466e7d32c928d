import type { RefusalName } from '@leadback/domain';
import type { RequestHandler } from 'express';

/** How an endpoint reads the body of a request into `request.body`. */
export interface BodyReader {
  readonly mediaType: string;
  /** Another one that it takes. The examples that are text are of this one. */
  readonly otherMediaType?: string;
  /** What it refuses because of size and media type, for the documentation. */
  readonly refusals: readonly RefusalName[];
  readonly handlers: readonly RequestHandler[];
}
