import { ExportResultCode } from '@opentelemetry/core';
import { expect, it } from 'vitest';
import { watchedExporter } from './watched-exporter.ts';

it('tells of a collector that is away once, and once of its return', () => {
  const said: unknown[] = [];
  const results = [1, 0, 0, 1, 1, 0, 0, 1].map((isTaken) =>
    isTaken
      ? { code: ExportResultCode.SUCCESS }
      : { code: ExportResultCode.FAILED, error: new Error(`away ${said.length}`) },
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
  expect(said).toEqual([new Error('away 0'), 'back', new Error('away 0'), 'back']);
  expect(handed).toEqual(results);
});
