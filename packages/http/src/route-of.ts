import type { IncomingMessage } from 'node:http';

/**
 * The pattern of the address that a request was answered under (`/:slug`), once it was; undefined where there is no such
 * address. Never the address as sent, which tells of a visitor.
 */
export const routeOf = (request: IncomingMessage): string | undefined => {
  const route = 'route' in request ? request.route : undefined;
  if (typeof route !== 'object' || route === null || !('path' in route) || typeof route.path !== 'string') return;
  return 'baseUrl' in request && typeof request.baseUrl === 'string' ? request.baseUrl + route.path : route.path;
};
