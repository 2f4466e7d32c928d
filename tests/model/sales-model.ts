/**
 * What is promised of clients, their clicks and their sales: which click counts for a sale, and which one a platform is told of
 * (packages/core/src/leads/attribution.ts). In memory, without SQL. Times are milliseconds since 1970.
 */
export interface ModelAccount {
  readonly id: number;
  readonly attribution: 'last' | 'first';
}

/** A lead of a client. */
export interface ModelClick {
  readonly id: number;
  readonly at: number;
  /** Empty: no campaign brought the visitor. */
  parameters: Readonly<Record<string, string>>;
}

export interface ModelClient {
  readonly id: number;
  readonly account: ModelAccount;
  /** Null: the client is erased, and nobody finds it any more. Its email is made of it. */
  reference: string | null;
  /** The one with which it was registered, and those that came later. */
  readonly clicks: [ModelClick, ...ModelClick[]];
}

export interface ModelAdjustment {
  readonly id: number;
  readonly kind: 'restate' | 'retract';
  readonly amount: number;
  readonly takenBack: number;
}

export interface ModelSale {
  readonly id: number;
  readonly client: ModelClient;
  readonly eventId: string;
  readonly amount: number;
  /** When it occurred. */
  readonly at: number;
  /** The one that counts. */
  readonly click: ModelClick;
  readonly adjustments: ModelAdjustment[];
  /** Whether no connection took it. */
  isUntold: boolean;
}

const clickIds: Readonly<Record<string, string>> = { meta: 'fbclid', google: 'gclid' };

/** Of the clicks of a client before a sale, the newest; the first, if the account chose so. */
const countedOf = ({ account, clicks }: ModelClient, at: number, which: (click: ModelClick) => boolean) =>
  clicks
    .filter((click) => click.at <= at && which(click))
    .toSorted((one, other) => one.at - other.at)
    .at(account.attribution === 'first' ? 0 : -1);

/** The click that counts for a sale: that of a campaign, or else that with which the client was registered. */
export const countedClick = (client: ModelClient, at: number): ModelClick =>
  countedOf(client, at, ({ parameters }) => Object.keys(parameters).length > 0) ?? client.clicks[0];

/** The click that a platform is told of, as far as the clicks are known: one with its click id, or else the one that counts. */
export const clickFor = (platform: string, { client, at, click }: ModelSale): ModelClick =>
  countedOf(client, at, ({ parameters }) => (clickIds[platform] ?? '') in parameters) ?? click;

export const emailOf = (reference: string): string => `${reference.toLowerCase()}@x.example`;

/** What was said and seen of a client is gone, except for the campaigns of its visits; its sales stay. */
export const erase = (client: ModelClient): void => {
  client.reference = null;
  for (const click of client.clicks) {
    click.parameters = Object.fromEntries(Object.entries(click.parameters).filter(([name]) => name.startsWith('utm_')));
  }
};

/** By how much a new total is below every earlier one. */
export const takenBackBy = ({ amount, adjustments }: ModelSale, total: number): number =>
  Math.max(0, Math.min(amount, ...adjustments.map((one) => one.amount)) - total);

/** What a sale is worth now. */
export const totalOf = ({ amount, adjustments }: ModelSale): number => adjustments.at(-1)?.amount ?? amount;

export const isRetracted = ({ adjustments }: ModelSale): boolean => adjustments.at(-1)?.kind === 'retract';
