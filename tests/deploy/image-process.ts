import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import { type Stage, textOf } from './dockerfile.ts';
import { inside, type ScratchStage } from './scratch-stage.ts';

export interface ImageProcess {
  /** Standard output and standard error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit status; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** The image's user if the tests run as root; otherwise the current user. */
const userOf = (stage: Stage) => {
  const [uid = 0, gid = 0] = (textOf(stage, 'USER') ?? '').split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : {};
};

/**
 * Starts a command in an image like a container engine: with the image's PATH and settings plus those given. Of this
 * machine it uses only the system libraries.
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
