import { CsvProblem } from '@leadback/intake';
import { ActionRefused } from '@leadback/people';

/** Stores a file; one that cannot be read is the problem of who sent it. */
export const readable = async <Result>(store: () => Promise<Result>): Promise<Result> => {
  try {
    return await store();
  } catch (error) {
    throw error instanceof CsvProblem ? new ActionRefused('invalid', error.message) : error;
  }
};
