import express, { type ErrorRequestHandler, Router } from 'express';
import { z } from 'zod';
import { behaviourSchema } from './behaviour.ts';
import { countedConversions, type PlatformFacts } from './events.ts';
import { eventsPage } from './events-page.ts';
import type { Sandbox } from './sandbox.ts';

const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
  response.status(400).json({ message: 'the body is not JSON' });
};

/** Endpoints that the platforms do not have: the received events, what is counted of them, and the behaviour of the platforms. */
export const inspectionRouter = ({ received, behaviours }: Sandbox, platforms: readonly PlatformFacts[]): Router => {
  const page = eventsPage(platforms, behaviours);
  const schema = behaviourSchema(platforms);
  return Router()
    .get('/health', (_request, response) => {
      response.json({ status: 'alive' });
    })
    .get('/', (_request, response) => {
      response.set('content-security-policy', page.policy).send(page.of(received.newestFirst()));
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
