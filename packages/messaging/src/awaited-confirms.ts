/** The messages whose confirms a publisher waits for. */
export interface AwaitedConfirms {
  readonly count: () => number;
  readonly begin: (messageId: string) => void;
  /** RabbitMQ returned the message: no queue is bound. It confirms it too, afterwards. */
  readonly returned: (messageId: string) => void;
  /** Ends waiting, and forgets the message. Returns whether it was returned. */
  readonly end: (messageId: string) => boolean;
}

export const awaitedConfirms = (): AwaitedConfirms => {
  const isReturned = new Map<string, boolean>();
  return {
    count: () => isReturned.size,
    begin: (messageId) => isReturned.set(messageId, false),
    returned: (messageId) => {
      // nobody asks for one that is returned after its time-out
      if (isReturned.has(messageId)) isReturned.set(messageId, true);
    },
    end: (messageId) => {
      const wasReturned = isReturned.get(messageId) ?? false;
      isReturned.delete(messageId);
      return wasReturned;
    },
  };
};
