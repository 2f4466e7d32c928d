import express, { type Express } from 'express';
import { createBehaviours } from './behaviour.ts';
import { googleRouter } from './google/router.ts';
import { inspectionRouter } from './inspection-router.ts';
import { metaRouter } from './meta/router.ts';
import { createReceivedEvents } from './received-events.ts';
import { tiktokRouter } from './tiktok/router.ts';

export interface SandboxOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The file in which accepted events are stored for the next sandbox. */
  readonly eventsFile?: string | undefined;
}

/**
 * Simulates Meta's Conversions API, Google's Data Manager API with its token endpoint, and TikTok's Events API on one
 * port: the same paths, checks and errors. It shares no code with the adapters, so that it cannot share their mistakes.
 */
export const platformSandbox = ({ now = Date.now, eventsFile }: SandboxOptions = {}): Express => {
  const sandbox = { received: createReceivedEvents(now, eventsFile), behaviours: createBehaviours(), now };
  return express()
    .disable('x-powered-by')
    .use(inspectionRouter(sandbox))
    .use(googleRouter(sandbox))
    .use(metaRouter(sandbox))
    .use(tiktokRouter(sandbox))
    .use((request, response) => {
      response.status(404).json({ message: `no ${request.method} at this path` });
    });
};
