interface Room {
  inUse: number;
  readonly waiting: (() => void)[];
}

/** Limits the concurrent requests of each account. */
export interface AccountRooms {
  /** Waits until the account has fewer than `requestsMax` requests in progress. The returned function ends the request. */
  enter(accountId: number, requestsMax: number): Promise<() => void>;
}

/** Those that wait enter in the order in which they came. */
export const accountRooms = (): AccountRooms => {
  const rooms = new Map<number, Room>();
  return {
    async enter(accountId, requestsMax) {
      const room = rooms.get(accountId) ?? { inUse: 0, waiting: [] };
      rooms.set(accountId, room);
      if (room.inUse < requestsMax) room.inUse += 1;
      else await new Promise<void>((resolve) => void room.waiting.push(resolve));
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const next = room.waiting.shift();
        if (next !== undefined) return next(); // it takes this place
        room.inUse -= 1;
        if (room.inUse === 0) rooms.delete(accountId);
      };
    },
  };
};
