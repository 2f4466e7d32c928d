export { type Span, SpanKind } from '@opentelemetry/api';
export {
  beginTrace,
  continueTrace,
  type LoggedTrace,
  linksTo,
  loggedTrace,
  markFailed,
  traceParentOf,
  startTracing,
} from './spans.ts';
export { type TracingSettings, tracingSettings } from './tracing-settings.ts';
