/** Prefix of the event ids of tests, and of no live ones, so that no platform takes a test for a sale. */
export const testEventIdPrefix = 'test:';

/**
 * The event id of the registration of a client. With the id of the installation, a UUID, no partner's own id is the same
 * by accident.
 */
export const leadEventId = (installationId: string, clientId: number, isTest: boolean): string =>
  `${isTest ? testEventIdPrefix : ''}lead:${installationId}:${clientId}`;

/**
 * What a connection may be told of. lead: a client was registered. Adjustments are not chosen: they follow their conversion.
 */
export const eventKinds = ['conversion', 'lead'] as const;
export type EventKind = (typeof eventKinds)[number];

/** restate: the conversion has another total. retract: it is taken back; its total is 0 for good. */
export const adjustmentKinds = ['restate', 'retract'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** How many adjustments a conversion may have. A last one may retract it. */
export const adjustmentsMax = 100;

/** The largest file that can be imported. */
export const importBytesMax = 50 * 2 ** 20;

/** How large the imported files of an account and mode, which are kept with their results, may be together. */
export const importsBytesMax = 2 * 2 ** 30;

/**
 * What the comparison of a partner's list with the registered conversions says of a row. Each row has one outcome, the
 * first that applies in this order.
 */
export const listedOutcomes = [
  /** A field of the row is invalid. */
  'refused',
  /** An earlier row of the list has the same reference. */
  'duplicateInList',
  /** No conversion has the reference, but the client is known: it can be registered. */
  'missing',
  'missingWithoutClient',
  'currencyDiffers',
  'amountDiffers',
  'matched',
] as const;

/** `extra`: a conversion of the range whose reference is not in the list, unless it was cancelled. */
export const reconciliationOutcomes = [...listedOutcomes, 'extra'] as const;
export type ReconciliationOutcome = (typeof reconciliationOutcomes)[number];

/** `undelivered` counts rows that are `matched` as well. */
export const reconciliationMeasures = [...reconciliationOutcomes, 'undelivered'] as const;
export type ReconciliationMeasure = (typeof reconciliationMeasures)[number];

/** What is done next; null: nothing. */
export const reconciliationSteps = ['receive', 'compare', 'extra', 'replay'] as const;
export type ReconciliationStep = (typeof reconciliationSteps)[number];

/** Outcomes whose rows can be registered. */
export const replayableOutcomes = ['missing', 'missingWithoutClient'] as const;
export type ReplayableOutcome = (typeof replayableOutcomes)[number];
