import { afterAll } from 'vitest';

/** What all tests of a file share, from before the first one until after the last one. For the top of a file. */
export const shared = async <Thing extends AsyncDisposable>(opening: Thing | Promise<Thing>): Promise<Thing> => {
  const thing = await opening;
  afterAll(() => thing[Symbol.asyncDispose]());
  return thing;
};
