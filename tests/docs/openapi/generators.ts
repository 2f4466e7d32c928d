import { writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

/** Lets the generators import TypeScript 6: version 7, which checks our code, has no compiler API. */
const withCompilerApi = () =>
  registerHooks({
    resolve(specifier, context, next) {
      const isOfGenerator = /\/(openapi-typescript|@hey-api\/openapi-ts)\//.test(context.parentURL ?? '');
      if (specifier !== 'typescript' || !isOfGenerator) return next(specifier, context);
      return next(import.meta.resolve('typescript-with-api'), context);
    },
  });

/** Writes `schema.ts` with openapi-typescript, and the folder `hey-api` with the client of Hey API. */
export const generateClients = async (document: string, folder: string): Promise<void> => {
  const hooks = withCompilerApi();
  try {
    const [{ astToString, default: openapiTypes }, { createClient }] = await Promise.all([
      import('openapi-typescript'),
      import('@hey-api/openapi-ts'),
    ]);
    await writeFile(join(folder, 'schema.ts'), astToString(await openapiTypes(document)));
    await createClient({ input: JSON.parse(document), output: join(folder, 'hey-api'), logs: { level: 'silent' } });
  } finally {
    hooks.deregister();
  }
};
