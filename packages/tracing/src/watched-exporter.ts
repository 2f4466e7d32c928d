import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

export interface ExportWatch {
  /** Once, when spans begin to be dropped. */
  readonly onDown: (reason: unknown) => void;
  /** Once, when they are taken again. */
  readonly onUp: () => void;
}

/** Tells when an exporter begins and ceases to fail, and not of every failure: a collector may be away for days. */
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
