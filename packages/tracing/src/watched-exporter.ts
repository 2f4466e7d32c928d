import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

export interface ExportWatch {
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
