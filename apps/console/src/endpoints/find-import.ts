import { Refusal } from '@leadback/domain';
import type { ImportRecord } from '@leadback/intake';
import type { Response } from 'express';
import type { ConsoleContext } from '../context.ts';
import { scopeOf } from '../sessions/authenticate.ts';

/** An import of the account of the path, live or test. */
export const findImport = async (
  { imports }: ConsoleContext,
  response: Response,
  id: number,
): Promise<ImportRecord> => {
  const found = await imports.find(scopeOf(response), id);
  if (!found) throw new Refusal('not-found.import');
  return found;
};
