export { type Endpoint, endpoint, endpointRouter, noInput } from './endpoint.ts';
export { errorResponder } from './error-responder.ts';
export { operationsApp } from './operations.ts';
export { refuse } from './refuse.ts';
export { requestLog } from './request-log.ts';
export { serve } from './serve.ts';
export { serveApp } from './serve-app.ts';
