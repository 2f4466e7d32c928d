export {
  type BodyReader,
  crossOriginJson,
  csvBody,
  csvBytes,
  csvParts,
  formFields,
  imageBody,
  imageBytes,
  isBrokenOff,
  isCsv,
  jsonBatchBody,
  listBody,
  listInput,
  listItemsMax,
  rawBytes,
} from './bodies.ts';
export {
  bareAddress,
  type BucketSize,
  connectionSettings,
  refuseWithoutProxy,
  connectionsPerNetwork,
  networkOf,
  networksOf,
  tokenBuckets,
  trustCaller,
} from './connections.ts';
export {
  bodyReaderOf,
  type Endpoint,
  type EndpointDescription,
  endpoint,
  endpointRouter,
  endpointWithParameters,
  nothing,
  type PlainDescription,
  type PlainEndpoint,
  type Precompressed,
  parseInput,
  plainEndpoint,
  precompressed,
  servePrecompressed,
} from './endpoint.ts';
export { errorHeader, errorResponder, statusOfCode } from './errors.ts';
export { type ApiDescription, openApiDocument } from './openapi.ts';
export { type ProxyCheck, proxyCheck, requestLog, addToRequestLog } from './request-log.ts';
export { operationsApp, serve, serveApp } from './serve.ts';
