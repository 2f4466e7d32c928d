export {
  type BodyReader,
  csvBody,
  csvBytes,
  csvParts,
  isCsv,
  imageBody,
  imageBytes,
  jsonBatchBody,
  listBody,
  listInput,
  listItemsMax,
  isBrokenOff,
} from './bodies.ts';
export {
  bodyReaderOf,
  type Endpoint,
  type EndpointDescription,
  endpoint,
  endpointWithParameters,
  nothing,
  endpointRouter,
  parseInput,
  type Precompressed,
  precompressed,
  servePrecompressed,
} from './endpoint.ts';
export { connectionSettings, connectionsPerNetwork } from './connection-settings.ts';
export { trustCaller } from './connections.ts';
export { errorResponder, errorHeader, statusOfCode } from './errors.ts';
export { networkOf, networksOf, type ProxyCheck, proxyCheck, requestLog, tellInRequestLog } from './request-log.ts';
export { type ApiDescription, openApiDocument } from './openapi.ts';
export { operationsApp, serve, serveApp } from './serve.ts';
export { type BucketSize, tokenBuckets } from './token-buckets.ts';
