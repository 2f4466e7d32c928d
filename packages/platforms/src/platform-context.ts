import type { Post } from './post.ts';
import type { TakeTurn } from './quota.ts';

/** What every platform needs of the world. */
export interface PlatformContext {
  readonly post: Post;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly requestTimeoutMs: number;
  readonly takeTurn: TakeTurn;
}
