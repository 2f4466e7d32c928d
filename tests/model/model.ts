import { clickFor, type ModelAdjustment, type ModelClick, type ModelClient, type ModelSale } from './sales-model.ts';

/**
 * What the delivery core promises, as packages/core/src/delivery/states.md says it: in memory, without SQL, one operation
 * after the other. A parcel is a set of deliveries.
 */
export interface Model {
  readonly connections: ModelConnection[];
  /** By id. */
  readonly clients: Map<number, ModelClient>;
  readonly sales: Map<number, ModelSale>;
  readonly deliveries: Map<number, ModelDelivery>;
  readonly parcels: Set<ModelParcel>;
  /** What deliveries have gone through, by number of the table in states.md: `4: claimed → failed`. */
  readonly transitions: Set<string>;
}

export interface ModelConnection {
  readonly id: number;
  readonly accountId: number;
  readonly platform: string;
  /** Whether the last event of a conversion counts. If not, each adds to those before. */
  readonly overwrites: boolean;
  state: 'active' | 'paused' | 'needs_attention';
  version: number;
  /** Whether it was resumed so lately that no retry of it is the last one. */
  isResumed: boolean;
  isDeleted: boolean;
}

export interface ModelDelivery {
  readonly id: number;
  readonly connection: ModelConnection;
  readonly sale: ModelSale;
  /** Undefined: it reports the conversion itself. */
  readonly adjustment: ModelAdjustment | undefined;
  /** The click that the platform is told of. */
  readonly click: ModelClick;
  state: 'pending' | 'delivered' | 'failed' | 'skipped';
  reason: string | null;
  attempts: number;
  throttled: number;
  /** Whether it has been retried for so long that its next retry would be too late. */
  isOld: boolean;
  parcel: ModelParcel | undefined;
  /** How many copies the platform may have accepted: one more for each copy whose outcome a crash could hide. */
  copiesMax: number;
}

export interface ModelParcel {
  /** Undefined: it is new, and its id is not known yet. */
  id: number | undefined;
  readonly connection: ModelConnection;
  readonly deliveries: Set<ModelDelivery>;
  claim: number;
  isClaimed: boolean;
  /** If it is claimed: whether its lease is over. */
  isDue: boolean;
  leasesLost: number;
}

type NewParcel = Pick<ModelParcel, 'connection' | 'claim' | 'leasesLost' | 'isDue'>;

const stateOf = ({ state, parcel }: ModelDelivery) => {
  if (state !== 'pending') return state;
  return parcel?.isClaimed ? 'claimed' : 'waiting';
};

/** Notes what a delivery goes through, before it does. */
const goes = (model: Model, number: number, delivery: ModelDelivery, to: string): void => {
  model.transitions.add(`${number}: ${stateOf(delivery)} → ${to}`);
};

/** Puts deliveries of one connection together into a new parcel. */
const pack = (model: Model, deliveries: readonly ModelDelivery[], parcel: NewParcel): ModelParcel => {
  const packed = { ...parcel, id: undefined, isClaimed: false, deliveries: new Set(deliveries) };
  model.parcels.add(packed);
  for (const delivery of deliveries) {
    delivery.state = 'pending';
    delivery.parcel = packed;
  }
  return packed;
};

/** Takes a delivery out of its parcel, if it is in one, and closes it. */
const close = (delivery: ModelDelivery, state: 'delivered' | 'failed' | 'skipped', reason: string | null) => {
  delivery.parcel?.deliveries.delete(delivery);
  delivery.parcel = undefined;
  delivery.state = state;
  delivery.reason = reason;
};

/** The deliveries of a conversion and its adjustments to a connection. */
export const deliveriesOf = (model: Model, sale: ModelSale, connection: ModelConnection): ModelDelivery[] =>
  [...model.deliveries.values()].filter((one) => one.sale === sale && one.connection === connection);

/** The connections that are told of a new conversion, in whatever state they are. */
export const toldOfSales = ({ connections }: Model, accountId: number): ModelConnection[] =>
  connections.filter((one) => one.accountId === accountId && !one.isDeleted);

/** The connections that are told of a new adjustment: all that were told of its conversion. */
export const toldOfAdjustments = ({ deliveries }: Model, sale: ModelSale): ModelConnection[] =>
  [...deliveries.values()].flatMap(({ sale: its, adjustment, connection }) =>
    its === sale && !adjustment && !connection.isDeleted ? [connection] : [],
  );

/** The click that a connection is told of: with an adjustment, that of its conversion. */
export const clickToTell = (model: Model, sale: ModelSale, connection: ModelConnection): ModelClick =>
  deliveriesOf(model, sale, connection)[0]?.click ?? clickFor(connection.platform, sale);

export const pause = (connection: ModelConnection): void => {
  connection.state = 'paused';
};

export const resume = (connection: ModelConnection): void => {
  connection.state = 'active';
  connection.version += 1;
  connection.isResumed = true;
};

/** What waits for a connection, or is claimed. */
export const waitingFor = ({ parcels }: Model, connection: ModelConnection): ModelDelivery[] =>
  [...parcels].flatMap((parcel) => (parcel.connection === connection ? [...parcel.deliveries] : []));

/**
 * Nothing more is told over a connection. Undefined: it stays, because deliveries wait for it; else how many did, which are ended
 * later.
 */
export const deleteConnection = (
  model: Model,
  connection: ModelConnection,
  isDiscarding: boolean,
): number | undefined => {
  const { length: waiting } = waitingFor(model, connection);
  if (waiting > 0 && !isDiscarding) return undefined;
  connection.isDeleted = true;
  connection.state = 'paused';
  connection.version += 1; // with its credentials
  return waiting;
};

/** Transition 13: a worker ends what waits for deleted connections. */
export const endDeliveriesOfDeleted = (model: Model): void => {
  for (const parcel of model.parcels) {
    if (!parcel.connection.isDeleted) continue;
    model.parcels.delete(parcel);
    for (const delivery of parcel.deliveries) {
      goes(model, 13, delivery, 'skipped');
      close(delivery, 'skipped', 'connection_deleted');
    }
  }
};

/** So much time passes that a further retry of everything there is would be too late. */
export const passDays = ({ connections, deliveries }: Model): void => {
  for (const delivery of deliveries.values()) delivery.isOld = true;
  for (const connection of connections) {
    if (connection.isResumed) connection.version += 1; // with its time of resumption
    connection.isResumed = false;
  }
};

/** All retries and everything that was held back comes due; leases go on. */
export const passPauses = ({ parcels }: Model): void => {
  for (const parcel of parcels) if (!parcel.isClaimed) parcel.isDue = true;
};

/** The lease of a claimed parcel ends. What its worker has sent, or sends after all, may be sent once more. */
export const endLease = (parcel: ModelParcel): void => {
  parcel.isDue = true;
  for (const delivery of parcel.deliveries) delivery.copiesMax += 1;
};

/** A claim of a parcel by a worker, which may be its last one or not. */
export interface ModelClaim {
  readonly parcel: ModelParcel;
  /** Its fencing token. */
  readonly claim: number;
  /** The version of the connection with which it is sent. */
  readonly version: number;
  readonly deliveries: readonly ModelDelivery[];
  /** Why some must not be sent, as was known at the claim. */
  readonly heldBack: ReadonlyMap<ModelDelivery, string>;
}

const lostTogetherMax = 2;
const lostMax = 5;

const isSuspect = ({ leasesLost }: ModelParcel) => leasesLost >= lostTogetherMax;

/** Whether a worker may claim a parcel together with others. */
export const isClaimable = (parcel: ModelParcel): boolean =>
  parcel.isDue && parcel.connection.state === 'active' && !isSuspect(parcel);

/** Whether a worker may claim a parcel alone, because it may crash workers. */
export const isClaimableAlone = (parcel: ModelParcel): boolean =>
  parcel.isDue && parcel.connection.state === 'active' && isSuspect(parcel) && parcel.deliveries.size <= 1;

/** Why the delivery of an adjustment must not be sent now; undefined if it may be. */
const heldBackBy = (model: Model, { adjustment, sale, connection }: ModelDelivery): string | undefined => {
  if (!adjustment) return undefined;
  const others = deliveriesOf(model, sale, connection);
  const original = others.find((one) => !one.adjustment);
  const adjustments = others.flatMap((one) => (one.adjustment ? [{ id: one.adjustment.id, state: one.state }] : []));
  const isLater = ({ id, state }: { id: number; state: string }) =>
    id > adjustment.id && (state === 'pending' || state === 'delivered');
  if (connection.overwrites && adjustments.some(isLater)) return 'superseded';
  if (original?.state === 'pending') return 'original_pending';
  if (original?.state !== 'delivered') return 'original_not_delivered';
  const isEarlier = ({ id, state }: { id: number; state: string }) => id < adjustment.id && state === 'pending';
  return connection.overwrites && adjustments.some(isEarlier) ? 'earlier_adjustment_pending' : undefined;
};

/** Transitions 2 and 3. */
export const claimParcel = (model: Model, parcel: ModelParcel): ModelClaim => {
  for (const delivery of parcel.deliveries) goes(model, parcel.isClaimed ? 3 : 2, delivery, 'claimed');
  if (parcel.isClaimed) parcel.leasesLost += 1;
  parcel.isClaimed = true;
  parcel.isDue = false;
  parcel.claim += 1;
  const deliveries = [...parcel.deliveries];
  return {
    parcel,
    claim: parcel.claim,
    version: parcel.connection.version,
    deliveries,
    heldBack: new Map(
      deliveries.flatMap((one) => {
        const reason = heldBackBy(model, one);
        return reason === undefined ? [] : [[one, reason] as const];
      }),
    ),
  };
};

/** Transition 9: each delivery of a parcel that crashed workers gets a parcel of its own. */
export const splitSuspects = (model: Model): void => {
  for (const parcel of model.parcels) {
    if (!isSuspect(parcel) || !parcel.isDue || parcel.deliveries.size <= 1) continue;
    model.parcels.delete(parcel);
    for (const one of parcel.deliveries) {
      if (parcel.isClaimed) goes(model, 9, one, 'waiting');
      pack(model, [one], { ...parcel, leasesLost: lostTogetherMax + 1, isDue: true });
    }
  }
};

/** Transition 10: a delivery during which so many workers crashed has failed. */
export const failCrashed = (model: Model): void => {
  for (const parcel of model.parcels) {
    const isLast = isSuspect(parcel) && parcel.isDue && parcel.isClaimed && parcel.leasesLost + 1 >= lostMax;
    if (!isLast || parcel.deliveries.size > 1) continue;
    model.parcels.delete(parcel);
    for (const delivery of parcel.deliveries) {
      goes(model, 10, delivery, 'failed');
      close(delivery, 'failed', 'crashed');
    }
  }
};

/** What happened to a delivery of a claim: what the platform told its worker, or why it was not sent. */
export type Happened =
  | 'delivered'
  | 'rejected'
  | 'too old'
  | 'unavailable'
  | 'throttled'
  | 'refused'
  | 'not sent'
  | 'held back'
  | 'skipped';

export interface ModelOutcome {
  readonly delivery: ModelDelivery;
  readonly happened: Happened;
  readonly reason: string | null;
  /** Deliveries with the same pause are packed together. */
  readonly retryInMs: number | null;
}

const isAttempt = (happened: Happened) => !['not sent', 'held back', 'skipped'].includes(happened);
const isCounted = (happened: Happened) => isAttempt(happened) && happened !== 'throttled';

const closedAs = {
  delivered: 'delivered',
  rejected: 'failed',
  'too old': 'skipped',
  skipped: 'skipped',
} as const;

const isClosing = (happened: Happened): happened is keyof typeof closedAs => happened in closedAs;

const isTooLate = ({ happened, delivery }: ModelOutcome) =>
  (happened === 'unavailable' || happened === 'throttled') && delivery.isOld && !delivery.connection.isResumed;

/** Transition 8: an earlier claim can only report that the platform accepted an event. */
const settleLate = (model: Model, outcomes: readonly ModelOutcome[]): void => {
  for (const { delivery, happened } of outcomes) {
    if (happened !== 'delivered' || delivery.state === 'delivered') continue;
    delivery.attempts += 1;
    goes(model, 8, delivery, 'delivered');
    close(delivery, 'delivered', null);
  }
};

/** Transitions 4 to 7. */
const settleLast = (model: Model, parcel: ModelParcel, outcomes: readonly ModelOutcome[]): void => {
  model.parcels.delete(parcel);
  const again = new Map<string, ModelOutcome[]>();
  for (const outcome of outcomes) {
    const { delivery, happened, reason, retryInMs } = outcome;
    if (delivery.parcel !== parcel) {
      settleLate(model, [outcome]); // it was closed meanwhile
      continue;
    }
    if (isCounted(happened)) delivery.attempts += 1;
    if (happened === 'throttled') delivery.throttled += 1;
    const closed = isClosing(happened) ? closedAs[happened] : isTooLate(outcome) ? 'failed' : undefined;
    if (closed) {
      goes(model, 4, delivery, closed);
      close(delivery, closed, isClosing(happened) ? reason : `retries_exhausted: ${reason}`);
    } else {
      goes(model, happened === 'refused' ? 7 : isAttempt(happened) ? 5 : 6, delivery, 'waiting');
      delivery.reason = reason;
      const together = `${retryInMs} ${isAttempt(happened) && parcel.leasesLost > 0}`;
      again.set(together, [...(again.get(together) ?? []), outcome]);
    }
  }
  const { connection, claim } = parcel;
  for (const alike of again.values()) {
    const hasSurvived = alike.some(({ happened }) => isAttempt(happened)); // there was a response, and it is saved
    const leasesLost = hasSurvived ? 0 : parcel.leasesLost;
    const isDue = alike.some(({ retryInMs }) => retryInMs === 0);
    const deliveries = alike.map(({ delivery }) => delivery);
    pack(model, deliveries, { connection, claim, leasesLost, isDue });
  }
};

/** What a settlement changes. Only the last claim of a parcel that is still open decides. */
export const settle = (model: Model, claim: ModelClaim, outcomes: readonly ModelOutcome[]): void => {
  const { parcel } = claim;
  const isLast = model.parcels.has(parcel) && parcel.isClaimed && parcel.claim === claim.claim;
  if (!isLast) return settleLate(model, outcomes);
  settleLast(model, parcel, outcomes);
  const { connection } = parcel;
  const isRejected = outcomes.some(({ happened }) => happened === 'refused');
  if (isRejected && connection.state === 'active' && connection.version === claim.version)
    connection.state = 'needs_attention';
};

const isRetriable = ({ state, connection }: ModelDelivery) =>
  (state === 'failed' || state === 'skipped') && connection.state === 'active';

/** Those that follow a conversion if it is sent again. */
const isFollowing = ({ state, reason }: ModelDelivery) =>
  state === 'delivered' || (state === 'skipped' && reason === 'original_not_delivered');

/** Transition 11: an operator retries deliveries. Returns all that are pending by it. */
export const retry = (model: Model, named: readonly ModelDelivery[]): ModelDelivery[] => {
  const retriable = named.filter(isRetriable);
  const followers = retriable.flatMap((original) =>
    original.adjustment
      ? []
      : deliveriesOf(model, original.sale, original.connection).flatMap((one) =>
          one.adjustment ? [{ original, one }] : [],
        ),
  );
  // a worker that sends an adjustment now would not wait for its conversion
  const leftAlone = new Set(followers.flatMap(({ original, one }) => (one.parcel?.isClaimed ? [original] : [])));
  const retried = new Set([
    ...retriable.filter((one) => !leftAlone.has(one)),
    ...followers.flatMap(({ original, one }) => (!leftAlone.has(original) && isFollowing(one) ? [one] : [])),
  ]);

  // those that wait leave in new parcels: a claim that began before finds nothing
  const waiting = new Set(followers.flatMap(({ one }) => (one.parcel && !one.parcel.isClaimed ? [one.parcel] : [])));
  for (const parcel of waiting) {
    model.parcels.delete(parcel);
    pack(model, [...parcel.deliveries], parcel);
  }

  for (const delivery of retried) {
    goes(model, 11, delivery, 'waiting');
    delivery.reason = null;
    delivery.isOld = false;
    delivery.copiesMax += 1;
  }
  const byConnection = new Map<ModelConnection, ModelDelivery[]>();
  for (const one of retried) byConnection.set(one.connection, [...(byConnection.get(one.connection) ?? []), one]);
  for (const [connection, deliveries] of byConnection) {
    pack(model, deliveries, { connection, claim: 1, leasesLost: 0, isDue: true });
  }
  return [...retried];
};
