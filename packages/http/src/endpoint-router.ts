import { methodMessage, Refusal } from '@leadback/domain';
import express, { type Router } from 'express';
import type { Endpoint } from './endpoint.ts';

/**
 * Routes requests to endpoints. Other methods on a known path get 405 with `Allow`. List a literal path before a path
 * with a parameter that matches it.
 */
export const endpointRouter = <Context>(endpoints: readonly Endpoint<Context>[], context: Context): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, offered] of paths) {
    for (const one of offered) router[one.method](path, ...one.handlers(context));
    const allowed = offered.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST'])).join(', ');
    router.all(path, (request, response) => {
      response.set('Allow', allowed);
      throw new Refusal('method-not-allowed', { message: methodMessage(request.method, allowed) });
    });
  }
  return router;
};
