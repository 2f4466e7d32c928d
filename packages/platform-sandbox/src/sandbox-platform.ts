import type { Router } from 'express';
import type { PlatformFacts } from './platform-facts.ts';
import type { Sandbox } from './sandbox.ts';

/** A platform that the sandbox simulates: each is one folder, and one line in `sandbox-platforms.ts`. */
export interface SandboxPlatform extends PlatformFacts {
  readonly router: (sandbox: Sandbox) => Router;
}
