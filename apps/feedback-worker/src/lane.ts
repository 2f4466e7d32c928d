import type { DestinationName } from '@leadback/domain';
import type { ClaimedParcel } from '@leadback/delivery';
import type { Sender } from './sender.ts';

/** One connection in this worker. Lanes share nothing but the room for deliveries, so none delays another. */
export interface Lane {
  readonly connectionId: number;
  readonly platform: DestinationName;
  /** Deliveries from their claim until they are settled. */
  held: number;
  /** Whether more parcels are due, as far as is known. */
  hasMore: boolean;
  /** Last use, by `performance.now()`. */
  usedAt: number;
  /** Whether it can send what is claimed now. */
  isReady(): boolean;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent for now: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
  /** The sender for the version of the connection that was claimed. Throws if its settings or credentials are invalid. */
  senderFor(connection: ClaimedParcel['connection']): Promise<Sender>;
}

interface LaneOptions extends Pick<Lane, 'connectionId' | 'platform'> {
  readonly open: (connection: ClaimedParcel['connection']) => Promise<Sender>;
}

export const openLane = ({ connectionId, platform, open }: LaneOptions): Lane => {
  let version = 0;
  let opening: Promise<Sender> | undefined;
  let sender: Sender | undefined;

  return {
    connectionId,
    platform,
    held: 0,
    hasMore: false,
    usedAt: performance.now(),
    isReady: () => sender === undefined || (!sender.isPaused() && !sender.isSlow()),
    isCircuitOpen: () => sender?.isCircuitOpen() ?? false,
    isPaused: () => sender?.isPaused() ?? false,
    async senderFor(connection) {
      if (opening !== undefined && connection.version <= version) return opening;
      version = connection.version;
      const mine = open(connection);
      opening = mine;
      try {
        sender = await mine;
        return sender;
      } catch (error) {
        if (opening === mine) opening = undefined; // tried again with the next claim
        throw error;
      }
    },
  };
};
