import type { PlatformName } from './platform-connection.ts';

/** A feedback row and where it goes: all that a worker is told of it. */
export interface FeedbackToSend {
  readonly feedbackId: number;
  /** Not known of rows that an older version has told of. */
  readonly connectionId?: number | undefined;
  readonly platform: PlatformName;
  /** W3C `traceparent` of what it follows from, where that is traced. */
  readonly traceParent?: string | undefined;
}
