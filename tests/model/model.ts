/**
 * What the delivery core promises, as packages/core/src/delivery/states.md says it: in memory, without SQL, one operation
 * after the other. A parcel is a set of deliveries.
 */
export interface Model {
  readonly connections: readonly ModelConnection[];
  readonly sales: Map<number, ModelSale>;
  readonly deliveries: Map<number, ModelDelivery>;
  readonly parcels: Set<ModelParcel>;
  /** What deliveries have gone through, by number of the table in states.md: `4: claimed → failed`. */
  readonly transitions: Set<string>;
}

export interface ModelConnection {
  readonly id: number;
  readonly accountId: number;
  /** Whether the last event of a conversion counts. If not, each adds to those before. */
  readonly overwrites: boolean;
  state: 'active' | 'paused' | 'needs_attention';
  version: number;
  /** Whether it was resumed so lately that no retry of it is the last one. */
  isResumed: boolean;
}

export interface ModelAdjustment {
  readonly id: number;
  readonly kind: 'restate' | 'retract';
  readonly amount: number;
  readonly takenBack: number;
}

export interface ModelSale {
  readonly id: number;
  readonly accountId: number;
  readonly eventId: string;
  readonly amount: number;
  readonly adjustments: ModelAdjustment[];
}

export interface ModelDelivery {
  readonly id: number;
  readonly connection: ModelConnection;
  readonly sale: ModelSale;
  /** Undefined: it reports the conversion itself. */
  readonly adjustment: ModelAdjustment | undefined;
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
export const goes = (model: Model, number: number, delivery: ModelDelivery, to: string): void => {
  model.transitions.add(`${number}: ${stateOf(delivery)} → ${to}`);
};

/** Puts deliveries of one connection together into a new parcel. */
export const pack = (model: Model, deliveries: readonly ModelDelivery[], parcel: NewParcel): ModelParcel => {
  const packed = { ...parcel, id: undefined, isClaimed: false, deliveries: new Set(deliveries) };
  model.parcels.add(packed);
  for (const delivery of deliveries) {
    delivery.state = 'pending';
    delivery.parcel = packed;
  }
  return packed;
};

/** Takes a delivery out of its parcel, if it is in one, and closes it. */
export const close = (delivery: ModelDelivery, state: 'delivered' | 'failed' | 'skipped', reason: string | null) => {
  delivery.parcel?.deliveries.delete(delivery);
  delivery.parcel = undefined;
  delivery.state = state;
  delivery.reason = reason;
};

/** The deliveries of a conversion and its adjustments to a connection. */
export const deliveriesOf = (model: Model, sale: ModelSale, connection: ModelConnection): ModelDelivery[] =>
  [...model.deliveries.values()].filter((one) => one.sale === sale && one.connection === connection);

/** The connections that are told of a new conversion. */
export const toldOfSales = ({ connections }: Model, accountId: number): ModelConnection[] =>
  connections.filter((one) => one.accountId === accountId && one.state !== 'paused');

/** The connections that are told of a new adjustment: all that were told of its conversion. */
export const toldOfAdjustments = ({ deliveries }: Model, sale: ModelSale): ModelConnection[] =>
  [...deliveries.values()].flatMap((one) => (one.sale === sale && !one.adjustment ? [one.connection] : []));

/** By how much a new total is below every earlier one. */
export const takenBackBy = ({ amount, adjustments }: ModelSale, total: number): number =>
  Math.max(0, Math.min(amount, ...adjustments.map((one) => one.amount)) - total);

export const pause = (connection: ModelConnection): void => {
  connection.state = 'paused';
};

export const resume = (connection: ModelConnection): void => {
  connection.state = 'active';
  connection.version += 1;
  connection.isResumed = true;
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
