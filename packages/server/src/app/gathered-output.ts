import type { DestinationStream } from 'pino';

interface GatheredOutput extends DestinationStream {
  /** Called by pino after a fatal line. */
  flushSync(): void;
}

const gatherMs = 10;

/**
 * Writes a line at once if nothing was written in the last ten milliseconds; otherwise the lines of ten milliseconds
 * share a write, because a write costs more than a line. Gathered lines are written when the process exits, too. Only
 * `kill -9`, a crash of Node or a blocked event loop loses lines: those of the last ten milliseconds of a burst.
 */
export const gatheredOutput = (output: DestinationStream): GatheredOutput => {
  let gathered = '';
  let writtenAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const release = () => {
    clearTimeout(timer);
    timer = undefined;
    process.off('exit', release);
    if (gathered === '') return;
    output.write(gathered);
    gathered = '';
    writtenAt = performance.now();
  };
  const releaseLater = () => {
    timer = setTimeout(release, gatherMs).unref();
    process.once('exit', release);
  };
  return {
    write(line) {
      gathered += line;
      if (performance.now() - writtenAt >= gatherMs) release();
      else if (!timer) releaseLater();
    },
    flushSync: release,
  };
};
