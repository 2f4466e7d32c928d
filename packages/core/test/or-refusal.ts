import { Refusal } from '@leadback/domain';

/** The result of a request, or the refusal that it throws. */
export const orRefusal = async <Result>(result: Promise<Result>): Promise<Result | Refusal> => {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
