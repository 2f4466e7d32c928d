import { z } from 'zod';

/**
 * Reads settings from the environment. Returns an error text that lists every missing or invalid setting, if there is
 * one.
 */
export const parseEnv = <Settings extends object>(
  schema: z.ZodType<Settings>,
  env: NodeJS.ProcessEnv = process.env,
): Settings | string => {
  const { success, data, error } = schema.safeParse(env);
  return success ? data : `invalid environment:\n${z.prettifyError(error)}`;
};
