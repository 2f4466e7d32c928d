export { type Endpoint, type EndpointDescription, endpoint, nothing } from './endpoint.ts';
export { endpointRouter } from './endpoint-router.ts';
export { errorResponder } from './error-responder.ts';
export { type ApiDescription, openApiDocument } from './openapi.ts';
export { operationsApp } from './operations.ts';
export { refuse, statusOf } from './refuse.ts';
export { requestLog } from './request-log.ts';
export { serve } from './serve.ts';
export { serveApp } from './serve-app.ts';
