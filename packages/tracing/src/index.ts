export { type Span, SpanKind } from '@opentelemetry/api';
export {
  beginTrace,
  continueTrace,
  type LoggedTrace,
  linksTo,
  loggedTrace,
  markFailed,
  traceParentOf,
} from './spans.ts';
export { startTracing } from './start-tracing.ts';
export { type TracingSettings, tracingSettings } from './tracing-settings.ts';
