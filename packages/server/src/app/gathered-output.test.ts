import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatheredOutput } from './gathered-output.ts';

const givenOutput = () => {
  const write = vi.fn<(lines: string) => void>();
  return { output: gatheredOutput({ write }), written: () => write.mock.calls.map(([lines]) => lines) };
};

describe('gatheredOutput', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes the first line of a burst at once, and the lines of ten milliseconds after it together', () => {
    const { output, written } = givenOutput();
    for (const line of ['1', '2', '3']) output.write(line);
    expect(written()).toEqual(['1']);
    vi.advanceTimersByTime(10);
    expect(written()).toEqual(['1', '23']);
    output.write('4');
    expect(written()).toEqual(['1', '23']);
    vi.advanceTimersByTime(20);
    output.write('5');
    expect(written()).toEqual(['1', '23', '4', '5']);
  });

  it('writes gathered lines with the next line if timers are late', () => {
    const { output, written } = givenOutput();
    for (const line of ['1', '2']) output.write(line);
    using _late = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10);
    output.write('3');
    expect(written()).toEqual(['1', '23']);
  });

  it('leaves no timer and no listener when its lines are written', () => {
    const listeners = process.listenerCount('exit');
    const { output } = givenOutput();
    for (const line of ['1', '2']) output.write(line);
    expect([vi.getTimerCount(), process.listenerCount('exit')]).toEqual([1, listeners + 1]);
    output.flushSync();
    expect([vi.getTimerCount(), process.listenerCount('exit')]).toEqual([0, listeners]);
  });
});

describe('the log of a process', () => {
  const logger = new URL('./logger.ts', import.meta.url).href;

  /** The messages that a process has logged when it has ended, however it ends. */
  const logged = async (work: string): Promise<unknown[]> => {
    const script = `import { createLogger } from '${logger}'; const log = createLogger('test', 'info'); ${work}`;
    const ended = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const stdout = await text(ended.stdout);
    return Array.from(stdout.matchAll(/"msg":"(.*)"\}\n/g), ([, message]) => message);
  };

  const messages = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
  const logAll = 'for (let index = 0; index < 1000; index += 1) log.info(`line ${index}`);';

  it.each([
    ['ends by itself', ''],
    ['exits', 'process.exit(0);'],
    ['fails', 'throw new Error();'],
  ])('has all lines in order when the process %s', async (_, end) => {
    expect(await logged(`${logAll} ${end}`)).toEqual(messages);
  });

  const kill = "process.kill(process.pid, 'SIGKILL');";
  const pause = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);';

  it('has a line that was logged after ten quiet milliseconds when the process is killed right after it', async () => {
    expect(await logged(`log.info('first'); ${kill}`)).toEqual(['first']);
    expect(await logged(`log.info('first'); ${pause} log.info('second'); ${kill}`)).toEqual(['first', 'second']);
  });

  it('has all lines up to a fatal one when the process is killed right after it', async () => {
    expect(await logged(`${logAll} log.fatal('failed'); ${kill}`)).toEqual([...messages, 'failed']);
  });
});
