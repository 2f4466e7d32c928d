import express, { type ErrorRequestHandler, Router } from 'express';
import { z } from 'zod';
import { behaviourSchema } from './behaviour.ts';
import { renderEvents } from './events-page.ts';
import type { Sandbox } from './sandbox.ts';

const unreadable: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : 'the body is not JSON';
  response.status(400).json({ message });
};

/** What a person or a test asks of the sandbox: what has arrived, and how to answer from now on. */
export const inspectionRouter = ({ received, behaviours }: Sandbox): Router =>
  Router()
    .get('/health', (_request, response) => {
      response.json({ status: 'alive' });
    })
    .get('/', (_request, response) => {
      response.type('html').send(renderEvents(received.newestFirst()));
    })
    .get('/events', (_request, response) => {
      response.json(received.newestFirst());
    })
    .delete('/events', (_request, response) => {
      received.clear();
      response.status(204).end();
    })
    .put('/behaviour', express.json(), (request, response) => {
      const behaviour = behaviourSchema.parse(request.body);
      behaviours.set(behaviour);
      response.json(behaviour);
    })
    .use('/behaviour', unreadable);
