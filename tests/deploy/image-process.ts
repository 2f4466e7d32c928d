import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import { type Stage, textOf } from './dockerfile.ts';
import { inside, type ScratchStage } from './scratch-stage.ts';

export interface ImageProcess {
  /** What it has written so far, to either stream. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit status; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Where the tests are root, as whom the image says; as ourselves otherwise. */
const userOf = (stage: Stage) => {
  const [uid = 0, gid = 0] = (textOf(stage, 'USER') ?? '').split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : {};
};

/**
 * Starts a command in an image as an engine would, with nothing of this machine but its system libraries: no PATH but the
 * image's, no settings but the image's and those given, files that belong to root.
 */
export const startInImage = (
  image: ScratchStage,
  stage: Stage,
  [file = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
): ImageProcess => {
  const own = Object.entries(image.env).map(([name, value]) => [
    name,
    isAbsolute(value) ? join(image.root, value) : value,
  ]);
  const child = spawn(file, args, {
    cwd: inside(image, '.'),
    env: {
      ...Object.fromEntries(own),
      ...settings,
      PATH: join(image.root, 'usr', 'local', 'bin'),
      TMPDIR: join(image.root, 'tmp'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...userOf(stage),
  });
  let output = '';
  const keep = (text: Buffer) => {
    output += text.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  const endWithTests = () => kill('SIGKILL');
  process.once('exit', endWithTests);
  const ended = once(child, 'close').then(([status]: readonly unknown[]) => {
    process.off('exit', endWithTests);
    return typeof status === 'number' ? status : null;
  });
  return { output: () => output, kill, ended };
};
