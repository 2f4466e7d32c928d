import { z } from 'zod';

/** Reads settings from the environment. Gives a text that lists every setting that is missing or wrong, if one is. */
export const parseEnv = <Settings extends object>(
  schema: z.ZodType<Settings>,
  env: NodeJS.ProcessEnv = process.env,
): Settings | string => {
  const { success, data, error } = schema.safeParse(env);
  return success ? data : `the environment is not as it should be:\n${z.prettifyError(error)}`;
};
