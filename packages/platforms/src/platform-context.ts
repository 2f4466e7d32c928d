import type { TakeSlot } from './quota.ts';
import type { MakeRequest, Reply, RequestContent } from './request.ts';

/** The dependencies of every platform. */
export interface PlatformContext {
  readonly request: MakeRequest;
  readonly post: (content: RequestContent) => Promise<Reply>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly requestTimeoutMs: number;
  readonly takeSlot: TakeSlot;
}
