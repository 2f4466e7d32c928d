// after a confirm timeout, nothing is published until a confirm arrives, or for this long
const muteMs = 5_000;
// Then only a new channel may help: each keeps where the leader of its queue was. RabbitMQ 3.10 rejects all messages of one that
// was opened right after the leader's node was lost, until that node is back, and some versions up to 4.1 confirm nothing
// after a partition (rabbitmq-server #14589). A queue that is full rejects messages too, which a new channel does not change,
// so the patience grows.
const patienceMinMs = 5_000;
const patienceMaxMs = 60_000;

/** Whether RabbitMQ confirms the messages of one channel. `sentAt` is of `performance.now()`. */
export interface ConfirmWatch {
  confirmed(): void;
  /** Returns why the channel should be given up, if it should. */
  rejected(sentAt: number): Error | undefined;
  /** The message was neither confirmed nor rejected in time. Returns the same. */
  timedOut(sentAt: number): Error | undefined;
  /** RabbitMQ has blocked its publishers, or goes on. */
  setBlocked(isBlocked: boolean): void;
  /** Whether a message would probably be confirmed in time. */
  isOpen(): boolean;
}

/** Returns a function that watches a new channel. Each has longer than the one before, until a message is confirmed. */
export const confirmWatches = (): (() => ConfirmWatch) => {
  let patienceMs = patienceMinMs;

  return () => {
    let isBlocked = false;
    let mutedUntil = 0;
    let confirmedAt = performance.now();
    let nothingSince = Number.POSITIVE_INFINITY;
    const restart = (): void => {
      confirmedAt = performance.now();
      nothingSince = Number.POSITIVE_INFINITY;
    };
    const reasonToGiveUp = (sentAt: number, what: string): Error | undefined => {
      nothingSince = Math.min(nothingSince, Math.max(sentAt, confirmedAt));
      const forMs = performance.now() - nothingSince;
      if (isBlocked || forMs < patienceMs) return undefined;
      patienceMs = Math.min(patienceMs * 2, patienceMaxMs);
      return new Error(`${what} for ${Math.round(forMs / 1_000)} s`);
    };

    return {
      confirmed: () => {
        mutedUntil = 0;
        patienceMs = patienceMinMs;
        restart();
      },
      rejected: (sentAt) => {
        mutedUntil = 0;
        return reasonToGiveUp(sentAt, 'rejected all messages (the queue is full, or its leader is lost)');
      },
      timedOut: (sentAt) => {
        mutedUntil = performance.now() + muteMs;
        return reasonToGiveUp(sentAt, 'confirmed no message');
      },
      setBlocked: (blocked) => {
        isBlocked = blocked;
        restart();
      },
      isOpen: () => !isBlocked && performance.now() >= mutedUntil,
    };
  };
};
