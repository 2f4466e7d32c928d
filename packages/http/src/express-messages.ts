import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * The options with which a server creates requests and responses that have the prototypes of an Express app from the
 * start. Express otherwise replaces their prototypes in every request, which makes each later access to them slower.
 */
export const expressMessages = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};
