import type { Router } from 'express';
import type { Sandbox } from './sandbox.ts';

/** A platform that the sandbox simulates: each is one folder, and one line in `sandbox-platforms.ts`. */
export interface SandboxPlatform {
  readonly name: string;
  /** A CSS colour for the page of events; supports light and dark mode. */
  readonly color: string;
  /** Whether it reports the status of accepted requests later. */
  readonly reportsStatus: boolean;
  readonly router: (sandbox: Sandbox) => Router;
}
