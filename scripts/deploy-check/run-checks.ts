import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringEngine } from './engine/bring-engine.ts';
import { endPrograms } from './engine/program.ts';
import { checkImages } from './images/build-images.ts';
import { openReport, type Report } from './report.ts';
import { type ComposeStack, composeStack, type Overlay } from './stack/compose-stack.ts';
import { bringBaseImages } from './stand-ins/base-images.ts';
import { useStandIns } from './stand-ins/use-stand-ins.ts';
import { root } from '../start/data-folder.ts';

export interface Surroundings {
  readonly stack: ComposeStack;
  readonly report: Report;
  /** Is disposed before the stack. */
  readonly started: AsyncDisposableStack;
}

interface Options {
  readonly overlay?: Overlay | undefined;
  /** Also measures how long a change takes to build. */
  readonly isMeasured?: boolean;
}

/**
 * Brings an engine and images, prepares the stack, and runs the checks. Takes everything down at the end, also after Ctrl-C,
 * prints the results as a table and ends this process: with status 1 if a check failed.
 */
export const runChecks = async (
  run: (around: Surroundings) => Promise<void>,
  { overlay, isMeasured = false }: Options = {},
): Promise<never> => {
  const report = openReport((text) => process.stdout.write(`${text}\n`));
  const { say, check, begin } = report;
  const started = new AsyncDisposableStack();

  const prepareAndRun = async (): Promise<void> => {
    begin('engine');
    const engine = started.use(await bringEngine(say));
    await check('a container engine runs', async () => engine.version);
    await check('images of others are there', async () =>
      Array.from(await bringBaseImages(engine, say), ([image, origin]) => `${image} ${origin}`).join(', '),
    );
    started.defer(await useStandIns(engine, root));
    const { path: folder } = started.use(await mkdtempDisposable(join(tmpdir(), 'leadback-deploy-check-')));
    const stack = started.use(await composeStack(engine, { project: 'leadback-deploy-check', folder, overlay }));
    await checkImages(stack, report, { isMeasured });
    await run({ stack, report, started });
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
