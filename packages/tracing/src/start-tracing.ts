import type { TracingOptions } from './open-telemetry.ts';

/**
 * Begins to export spans if the environment says where to; otherwise the SDK is not even loaded, and every span of this
 * process records nothing. Dispose once the last span has ended.
 */
export const startTracing = async (options: TracingOptions): Promise<AsyncDisposable> => {
  if (options.settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return { async [Symbol.asyncDispose]() {} };
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(options);
};
