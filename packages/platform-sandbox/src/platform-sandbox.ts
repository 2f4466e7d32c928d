import express, { type Express } from 'express';
import { createBehaviours } from './behaviour.ts';
import { inspectionRouter } from './inspection-router.ts';
import { createReceivedEvents } from './events.ts';
import { refuseStrangers } from './tokens.ts';
import type { Sandbox, SandboxPlatform } from './sandbox.ts';
import { sandboxPlatforms } from './sandbox-platforms.ts';

export interface SandboxOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The file in which accepted events are stored for the next sandbox. */
  readonly eventsFile?: string | undefined;
  /** How many accepted events it keeps. Default: 200,000. */
  readonly eventsMax?: number | undefined;
  readonly platforms?: readonly SandboxPlatform[];
}

/**
 * Simulates the APIs of all platforms on one port: the same paths, checks and errors. It shares no code with the
 * adapters, so that it cannot share their mistakes.
 */
export const platformSandbox = ({
  now = Date.now,
  eventsFile,
  eventsMax = 200_000,
  platforms = sandboxPlatforms,
}: SandboxOptions = {}): Express => {
  const sandbox: Sandbox = {
    received: createReceivedEvents({ now, eventsMax, file: eventsFile }),
    behaviours: createBehaviours(),
    now,
  };
  return express()
    .disable('x-powered-by')
    .use(refuseStrangers)
    .use(inspectionRouter(sandbox, platforms))
    .use(...platforms.map(({ router }) => router(sandbox)))
    .use((request, response) => {
      response.status(404).json({ message: `no ${request.method} at this path` });
    });
};
