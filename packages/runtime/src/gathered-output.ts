import { type DestinationStream, pino } from 'pino';

interface GatheredOutput extends DestinationStream {
  flush(done: () => void): void;
  /** Called by pino after a fatal line. */
  flushSync(): void;
}

const gatherMs = 10;
const gatheredMax = 64 * 1024;

/** Standard output. Lines of ten milliseconds share a write: a write wakes a thread, which costs more than a line. */
export const gatheredOutput = (): GatheredOutput => {
  const output = pino.destination({ sync: false });
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') output.write(gathered);
    gathered = '';
  };
  const flushSync = () => {
    release();
    output.flushSync();
  };
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= gatheredMax) release();
      else timer ??= setTimeout(release, gatherMs);
    },
    flush(done) {
      flushSync();
      done();
    },
    flushSync,
  };
};
