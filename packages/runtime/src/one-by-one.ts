interface OneByOne<Call> {
  /** Must not throw. */
  readonly settle: (call: Call) => Promise<void>;
  /** For each call that was not started in time. */
  readonly giveUp: (call: Call) => void;
}

// a part of the connections of a pool, so that others are served while all of these are blocked
const atOnce = 5;
// with the run that failed before and the last ones started, less than callers wait for a response
const startedWithinMs = 1_500;

/** Settles calls some at a time, so that a few that are blocked do not delay the others. */
export const oneByOne = async <Call>(calls: readonly Call[], { settle, giveUp }: OneByOne<Call>): Promise<void> => {
  const until = performance.now() + startedWithinMs;
  const left = calls.values();
  const work = async () => {
    for (const call of left) {
      if (performance.now() < until) await settle(call);
      else giveUp(call);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};
