import type { PlatformName } from './platform-connection.ts';

/** The content of a message to the workers. */
export interface FeedbackToSend {
  readonly feedbackId: number;
  /** Missing in messages of older versions. */
  readonly connectionId?: number | undefined;
  readonly platform: PlatformName;
  /** W3C `traceparent`, if it is traced. */
  readonly traceParent?: string | undefined;
}
