import express, { type ErrorRequestHandler, type Express, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { behaviourSchema, createBehaviours, switches, switchNames } from './behaviour.ts';
import { countedConversions, createReceivedEvents, type PlatformFacts } from './events.ts';
import { eventsPage } from './events-page.ts';
import { refuseStrangers } from './tokens.ts';
import type { Sandbox, SandboxPlatform } from './sandbox.ts';
import { sandboxPlatforms } from './sandbox-platforms.ts';
import { shopsRouter } from './shops/shops-router.ts';

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  response.status(400).json({ message: 'the body is not JSON' });
};

const backToPage = ({ query }: Pick<Request, 'query'>, response: Response): void => {
  response.redirect(303, query['still'] === undefined ? '/' : '/?still');
};

/** Endpoints that the platforms do not have: the received events, what is counted of them, and the behaviour of the platforms. */
const inspectionRouter = ({ received, behaviours }: Sandbox, platforms: readonly PlatformFacts[]): Router => {
  const page = eventsPage(platforms, behaviours);
  const schema = behaviourSchema(platforms);
  return Router()
    .get('/health', (_request, response) => {
      response.json({ status: 'alive' });
    })
    .get('/', ({ query }, response) => {
      const shown = { isStill: query['still'] !== undefined };
      response.set('content-security-policy', page.policy).send(page.of(received.newestFirst(), shown));
    })
    .post('/switch/reset', (request, response) => {
      for (const { name } of platforms) behaviours.set({ platform: name, answer: 'ok' });
      backToPage(request, response);
    })
    .post('/switch/:platform/:switch', (request, response) => {
      const { platform, switch: wanted } = request.params;
      const name = switchNames.find((one) => one === wanted);
      if (name === undefined || !platforms.some((one) => one.name === platform)) {
        const names = platforms.map((one) => one.name).join(', ');
        const message = `expected /switch/reset, or /switch/PLATFORM/SWITCH with one of ${names} and one of ${switchNames.join(', ')}`;
        response.status(404).json({ message });
        return;
      }
      behaviours.set({ platform, ...switches[name].behaviour });
      backToPage(request, response);
    })
    .get('/events', (_request, response) => {
      response.json(received.newestFirst());
    })
    .get('/conversions', (_request, response) => {
      response.json(countedConversions(platforms, received.newestFirst()).all());
    })
    .delete('/events', (_request, response) => {
      received.clear();
      response.status(204).end();
    })
    .put('/behaviour', express.json(), (request, response) => {
      const behaviour = schema.safeParse(request.body);
      if (!behaviour.success) {
        response.status(400).json({ message: z.prettifyError(behaviour.error) });
        return;
      }
      behaviours.set(behaviour.data);
      response.json(behaviour.data);
    })
    .use('/behaviour', unreadable);
};

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
    .use(shopsRouter(now))
    .use((request, response) => {
      response.status(404).json({ message: `no ${request.method} at this path` });
    });
};
