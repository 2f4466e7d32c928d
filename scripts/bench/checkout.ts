import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { forgetServer, freePort, startLeadbackApp, startPostgres, startRabbitmq } from '@leadback/local-stack';
import { z } from 'zod';

const isFunction = (value: unknown): boolean => typeof value === 'function';

// what the benchmark uses of a checkout besides its apps, its operator and its SQL
const localStackSchema = z.object({
  startPostgres: z.custom<typeof startPostgres>(isFunction),
  startRabbitmq: z.custom<typeof startRabbitmq>(isFunction),
  startLeadbackApp: z.custom<typeof startLeadbackApp>(isFunction),
  forgetServer: z.custom<typeof forgetServer>(isFunction),
  freePort: z.custom<typeof freePort>(isFunction),
});

/** The sources that are measured. */
export interface Checkout {
  readonly root: string;
  /** Its own: the settings of apps and the topology of the broker differ between versions. */
  readonly localStack: z.infer<typeof localStackSchema>;
}

/** Throws if the folder is no checkout of Leadback or its dependencies are not installed. */
export const openCheckout = async (folder: string): Promise<Checkout> => {
  const root = resolve(folder);
  const sources = join(root, 'packages/local-stack/src/index.ts');
  if (!existsSync(sources)) throw new Error(`${root} is not a checkout of Leadback: there is no ${sources}`);
  if (!existsSync(join(root, 'node_modules', '.pnpm'))) {
    throw new Error(`the dependencies of ${root} are not installed. Run "npm run operator -- --help" there`);
  }
  if (!existsSync(join(root, 'scripts/bundle/bundle-app.ts'))) {
    throw new Error(`${root} is too old: it has no scripts/bundle/bundle-app.ts, which bundles its apps`);
  }
  const module: unknown = await import(pathToFileURL(sources).href);
  return { root, localStack: localStackSchema.parse(module) };
};
