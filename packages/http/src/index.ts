export type { BodyReader } from './body-reader.ts';
export {
  bodyReaderOf,
  type Endpoint,
  type EndpointDescription,
  endpoint,
  endpointWithParameters,
  nothing,
} from './endpoint.ts';
export { connectionSettings, connectionsPerNetwork } from './connection-settings.ts';
export { trustCaller } from './connections.ts';
export { csvBody, csvBytes, csvParts, isCsv } from './csv-body.ts';
export { endpointRouter } from './endpoint-router.ts';
export { errorResponder } from './error-responder.ts';
export { imageBody, imageBytes } from './image-body.ts';
export { jsonBatchBody } from './json-body.ts';
export { listBody, listInput, listItemsMax } from './list-body.ts';
export { networkOf, networksOf } from './network-of.ts';
export { type ApiDescription, openApiDocument } from './openapi.ts';
export { operationsApp } from './operations.ts';
export { parseInput } from './parse-input.ts';
export { type Precompressed, precompressed, servePrecompressed } from './precompressed.ts';
export { type ProxyCheck, proxyCheck } from './proxy-check.ts';
export { isBrokenOff } from './raw-body.ts';
export { errorHeader, statusOfCode } from './refusal-status.ts';
export { requestLog, tellInRequestLog } from './request-log.ts';
export { serve } from './serve.ts';
export { serveApp } from './serve-app.ts';
export { type BucketSize, tokenBuckets } from './token-buckets.ts';
