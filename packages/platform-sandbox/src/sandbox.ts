import type { Router } from 'express';
import type { Behaviours } from './behaviour.ts';
import type { ReceivedEvents, PlatformFacts } from './events.ts';

/** Shared by the platforms and the inspection endpoints. */
export interface Sandbox {
  readonly received: ReceivedEvents;
  readonly behaviours: Behaviours;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A platform that the sandbox simulates: each is one folder, and one line in `sandbox-platforms.ts`. */
export interface SandboxPlatform extends PlatformFacts {
  readonly router: (sandbox: Sandbox) => Router;
}
