import { givenBaseline } from '../baselines/given-baseline.ts';
import type { BenchStack } from '../bench-stack.ts';
import type { Asked } from '../load/load.ts';
import type { Bench, Measurements } from '../part.ts';

export const oneByOne = 'bare node:http + pg, one by one';

/** The same requests as the api gets, at a server that looks up one row and inserts one, request by request. */
export const registrationBaseline =
  (bench: Bench, stack: BenchStack, askedAt: (url: string) => Asked) => async (): Promise<Measurements> =>
    new Map([[oneByOne, await givenBaseline(bench, stack, 'registration', askedAt)]]);
