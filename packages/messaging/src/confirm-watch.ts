// after a confirm timeout, nothing is published until a confirm arrives, or for this long
const muteMs = 5_000;
// Then only a new channel helps, as each keeps where the leader of a queue was: RabbitMQ 3.10 rejects all messages of one that
// was opened right after the leader's node was lost, until that node is back, and some versions up to 4.1 confirm nothing
// after a partition (rabbitmq-server #14589).
const nothingConfirmedMaxMs = 5_000;

/** Whether RabbitMQ confirms the messages of a channel. */
export interface ConfirmWatch {
  /** A message was confirmed, or there is a new channel. */
  confirmed(): void;
  /** One that was sent at that time (`performance.now()`) was rejected. Returns why the channel should be given up, if so. */
  rejected(sentAt: number): Error | undefined;
  /** The same for one that was neither confirmed nor rejected in time. */
  timedOut(sentAt: number): Error | undefined;
  /** Whether the next message would probably not be confirmed in time. */
  isMuted(): boolean;
}

export const confirmWatch = (): ConfirmWatch => {
  let mutedUntil = 0;
  let nothingSince = Number.POSITIVE_INFINITY;
  const reasonToGiveUp = (sentAt: number): Error | undefined => {
    nothingSince = Math.min(nothingSince, sentAt);
    const forMs = performance.now() - nothingSince;
    return forMs < nothingConfirmedMaxMs
      ? undefined
      : new Error(`confirmed nothing for ${Math.round(forMs / 1_000)} s`);
  };

  return {
    confirmed: () => {
      mutedUntil = 0;
      nothingSince = Number.POSITIVE_INFINITY;
    },
    rejected: (sentAt) => {
      mutedUntil = 0;
      return reasonToGiveUp(sentAt);
    },
    timedOut: (sentAt) => {
      mutedUntil = performance.now() + muteMs;
      return reasonToGiveUp(sentAt);
    },
    isMuted: () => performance.now() < mutedUntil,
  };
};
