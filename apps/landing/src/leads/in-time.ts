/** The result of `work`, or undefined if it takes longer; it may still end later. */
export const inTime = async <Result>(work: Promise<Result>, maxMs: number): Promise<Result | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), maxMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
