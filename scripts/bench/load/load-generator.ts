import { startBenchProcess } from '../bench-process.ts';
import { type Load, type Rate, rateSchema } from './load.ts';

export interface LoadGenerator extends AsyncDisposable {
  readonly pid: number;
  /** One load at a time. Throws on any error and on any other status than the expected one. */
  readonly run: (load: Load) => Promise<Rate>;
}

export const startLoadGenerator = (): LoadGenerator => {
  const child = startBenchProcess(new URL('load-process.ts', import.meta.url));
  return {
    pid: child.pid,
    run: async (load) => rateSchema.parse(await child.ask(load)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
};
