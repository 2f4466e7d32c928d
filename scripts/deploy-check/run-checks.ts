import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReport, type Report } from './report.ts';
import { checkImages } from './images.ts';
import { findEngine, endPrograms, type ComposeStack, composeStack, type Overlay } from './stack.ts';

export interface Surroundings {
  readonly stack: ComposeStack;
  readonly report: Report;
}

/**
 * Builds the images, prepares the stack, and runs the checks. Takes everything down at the end, also after Ctrl-C,
 * prints the results as a table and ends this process: with status 1 if a check failed.
 */
export const runChecks = async (run: (around: Surroundings) => Promise<void>, overlay?: Overlay): Promise<never> => {
  const report = openReport((text) => process.stdout.write(`${text}\n`));
  const { say, check, begin } = report;
  const started = new AsyncDisposableStack();

  const prepareAndRun = async (): Promise<void> => {
    begin('engine');
    const engine = await findEngine();
    await check('a container engine runs', async () => engine.version);
    const { path: folder } = started.use(await mkdtempDisposable(join(tmpdir(), 'leadback-deploy-check-')));
    const stack = started.use(await composeStack(engine, { project: 'leadback-deploy-check', folder, overlay }));
    await checkImages(stack, report);
    await run({ stack, report });
  };
  const interrupted = new Promise<void>((resolve) => {
    const interrupt = () => {
      say('Interrupted');
      report.end();
      endPrograms();
      process.exitCode = 1;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  });
  try {
    await Promise.race([prepareAndRun(), interrupted]);
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
  say('Taking everything down …');
  await started.disposeAsync();
  process.stdout.write(`\n${report.table()}\n`);
  process.exit(report.hasFailed() ? 1 : process.exitCode);
};
