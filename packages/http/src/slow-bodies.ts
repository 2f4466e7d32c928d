import type { IncomingMessage, ServerResponse } from 'node:http';

interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When it began or, if it may take long, when its response was sent. */
  since: number;
}

export interface SlowBodiesOptions {
  /** Within which a body must arrive. */
  readonly timeoutMs: number;
  readonly everyMs: number;
  /** Whether the body may take longer until it has a response. */
  readonly mayTakeLong: (request: IncomingMessage) => boolean;
  readonly onLate: (request: IncomingMessage, response: ServerResponse) => void;
}

const hasBody = ({ headers }: IncomingMessage) => 'content-length' in headers || 'transfer-encoding' in headers;

/** Finds bodies that arrive too slowly. Node.js itself has one limit for all requests of a server. */
export const slowBodies = ({ timeoutMs, everyMs, mayTakeLong, onLate }: SlowBodiesOptions) => {
  const arriving = new Set<Arriving>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of arriving) {
      const { request, response, since } = one;
      const isLate = now - since >= timeoutMs && (response.writableEnded || !mayTakeLong(request));
      if (!isLate || request.complete) continue;
      arriving.delete(one);
      onLate(request, response);
    }
  }, everyMs).unref();
  return {
    watch: (request: IncomingMessage, response: ServerResponse): void => {
      if (!hasBody(request)) return;
      const one = { request, response, since: performance.now() };
      arriving.add(one);
      if (mayTakeLong(request)) response.once('finish', () => (one.since = performance.now()));
      request.once('close', () => arriving.delete(one));
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
};
