import express, { type Router } from 'express';
import type { Endpoint } from './endpoint.ts';
import { refuse } from './refuse.ts';

/**
 * The list of endpoints as a router; another method on one of their paths is answered 405 with `Allow`. A path that
 * another's parameter would match as well stands before it in the list.
 */
export const endpointRouter = <Context>(endpoints: readonly Endpoint<Context>[], context: Context): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  const paths = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, offered] of paths) {
    for (const one of offered) router[one.method](path, ...one.handlers(context));
    const allowed = offered.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST'])).join(', ');
    router.all(path, (request, response) => {
      response.set('Allow', allowed);
      refuse(response, 'method-not-allowed', `${request.method} is not offered here; use ${allowed}`);
    });
  }
  return router;
};
