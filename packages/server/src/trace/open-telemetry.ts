import { setTimeout as pause } from 'node:timers/promises';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
  BatchSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import type { TracingSettings } from './tracing-settings.ts';

/** The SDK does not read `OTEL_TRACES_SAMPLER` itself. `ratio`: from 0 to 1. */
export const traceSampler = (name: TracingSettings['OTEL_TRACES_SAMPLER'], ratio: number): Sampler => {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
};

interface ExportWatch {
  /** Called once when spans start to be dropped. */
  readonly onDown: (reason: unknown) => void;
  /** Called once when exports succeed again. */
  readonly onUp: () => void;
}

/** Reports when exports start and stop failing, not each failure: a collector may be unavailable for days. */
export const watchedExporter = (exporter: SpanExporter, { onDown, onUp }: ExportWatch): SpanExporter => {
  let isDown = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isDown) onDown(result.error);
        if (!hasFailed && isDown) onUp();
        isDown = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
};

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
