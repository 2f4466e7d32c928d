import { setTimeout as pause } from 'node:timers/promises';
import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { traceSampler } from './trace-sampler.ts';
import type { TracingSettings } from './tracing-settings.ts';
import { type ExportWatch, watchedExporter } from './watched-exporter.ts';

export interface TracingOptions extends ExportWatch {
  /** The default of `OTEL_SERVICE_NAME` is `leadback-<app>`. */
  readonly app: string;
  readonly settings: TracingSettings;
}

const flushMaxMs = 2_000;

/**
 * Exports the spans of the process in batches, in the background. Disposing exports the rest, for at most two seconds.
 * There is no context manager: one statement or request often belongs to several traces, so each span gets its parent
 * explicitly.
 */
export const openTelemetry = ({ app, settings, ...watch }: TracingOptions): AsyncDisposable => {
  const fromEnvironment = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `leadback-${app}` }))
      .merge(fromEnvironment),
    sampler: traceSampler(settings.OTEL_TRACES_SAMPLER, settings.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [new BatchSpanProcessor({ exporter: watchedExporter(new OTLPTraceExporter(), watch) })],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    async [Symbol.asyncDispose]() {
      await Promise.race([provider.shutdown().catch(() => {}), pause(flushMaxMs, undefined, { ref: false })]);
    },
  };
};
