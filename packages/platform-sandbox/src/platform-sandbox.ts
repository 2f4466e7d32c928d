import express, { type Express } from 'express';
import { createBehaviours } from './behaviour.ts';
import { googleRouter } from './google/router.ts';
import { inspectionRouter } from './inspection-router.ts';
import { metaRouter } from './meta/router.ts';
import { createReceivedEvents } from './received-events.ts';

/**
 * Stands in for Meta's Conversions API, Google's Data Manager API and its token endpoint, all on one port: the same
 * paths, as strict, with the same errors. It shares no code with what it checks, so that it shares no mistake.
 */
export const platformSandbox = (now: () => number = Date.now): Express => {
  const sandbox = { received: createReceivedEvents(now), behaviours: createBehaviours(), now };
  return express()
    .disable('x-powered-by')
    .use(inspectionRouter(sandbox))
    .use(googleRouter(sandbox))
    .use(metaRouter(sandbox))
    .use((request, response) => {
      response.status(404).json({ message: `no ${request.method} at this path` });
    });
};
