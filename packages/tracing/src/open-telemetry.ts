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
  /** `OTEL_SERVICE_NAME` is `leadback-<app>` where it is not set. */
  readonly app: string;
  readonly settings: TracingSettings;
}

const flushMaxMs = 2_000;

/**
 * Has the process's spans exported, in batches and beside its work. Disposing exports what is left, for at most two
 * seconds. There is no context manager: a statement or a request of ours is often shared by several traces, so every span
 * is told its parent.
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
