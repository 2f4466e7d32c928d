import type { IncomingMessage } from 'node:http';

/**
 * The route pattern of a handled request (`/:slug`), or undefined if no route matched. Never the URL, which has
 * personal data.
 */
export const routeOf = (request: IncomingMessage): string | undefined => {
  const route = 'route' in request ? request.route : undefined;
  if (typeof route !== 'object' || route === null || !('path' in route) || typeof route.path !== 'string') return;
  return 'baseUrl' in request && typeof request.baseUrl === 'string' ? request.baseUrl + route.path : route.path;
};
