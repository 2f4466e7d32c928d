import { ExportResultCode } from '@opentelemetry/core';
import { expect, it } from 'vitest';
import { watchedExporter } from './open-telemetry.ts';

it('reports once when the trace collector fails, and once when it recovers', () => {
  const said: unknown[] = [];
  const results = [1, 0, 0, 1, 1, 0, 0, 1].map((isTaken) =>
    isTaken
      ? { code: ExportResultCode.SUCCESS }
      : { code: ExportResultCode.FAILED, error: new Error(`unavailable ${said.length}`) },
  );
  const handed: unknown[] = [];
  const exporter = watchedExporter(
    {
      export: (_spans, done) => done(results[handed.length] ?? { code: ExportResultCode.FAILED }),
      shutdown: async () => {},
    },
    { onDown: (reason) => said.push(reason), onUp: () => said.push('back') },
  );
  for (const _ of results) exporter.export([], (result) => handed.push(result));
  expect(said).toEqual([new Error('unavailable 0'), 'back', new Error('unavailable 0'), 'back']);
  expect(handed).toEqual(results);
});
