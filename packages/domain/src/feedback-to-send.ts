import type { PlatformName } from './platform-connection.ts';

/** A feedback row and where it goes: all that a worker is told of it. */
export interface FeedbackToSend {
  readonly feedbackId: number;
  readonly platform: PlatformName;
}
