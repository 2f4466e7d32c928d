import type { TracingOptions } from './open-telemetry.ts';

/**
 * Exports spans if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise the SDK is not loaded and no span is recorded.
 * Dispose after the last span has ended.
 */
export const startTracing = async (options: TracingOptions): Promise<AsyncDisposable> => {
  if (options.settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return { async [Symbol.asyncDispose]() {} };
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(options);
};
