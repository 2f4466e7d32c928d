import { methodMessage, Refusal } from '@leadback/domain';
import express, { type RequestHandler, type Router } from 'express';
import type { Endpoint } from './endpoint.ts';

/**
 * Routes requests to endpoints, after the handlers `before`, which see each request to any path. Other methods on a
 * known path get 405 with `Allow`. List a literal path before a path with a parameter that matches it.
 */
export const endpointRouter = <Context>(
  endpoints: readonly Endpoint<Context>[],
  context: Context,
  before: readonly RequestHandler[],
): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  router.use(...before);
  for (const [path, offered] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const route = router.route(path);
    for (const one of offered) route[one.method](...one.handlers(context));
    const allowed = offered
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()))
      .join(', ');
    route.all((request, response) => {
      response.set('Allow', allowed);
      throw new Refusal('method-not-allowed', { message: methodMessage(request.method, allowed) });
    });
  }
  return router;
};
