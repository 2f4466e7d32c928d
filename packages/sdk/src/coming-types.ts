// Until the API has the endpoint: as `node scripts/run.mjs sdk-types` will write them.

export interface AdjustmentInput {
  /** The id of the conversion. */
  readonly conversionId?: number | null | undefined;
  /** Your own identifier of the conversion. Needed without `conversionId`; with it, both must match. */
  readonly conversionExternalReference?: string | null | undefined;
  /** `restate`: the conversion has another total. `retract`: it is taken back: its total is 0, and it takes no more adjustments. */
  readonly kind: 'restate' | 'retract';
  /** With `restate`: the new total, never a difference. Not with `retract`. */
  readonly amount?: number | null | undefined;
  /** When it was adjusted, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago, and not before the conversion. */
  readonly occurredAt?: string | null | undefined;
  /** Your own identifier for the adjustment, such as the number of a credit note. Registered only once. */
  readonly adjustmentExternalReference?: string | null | undefined;
}

export interface RegisteredAdjustment {
  /** The id of the adjustment. */
  readonly id: number;
  /** The id of the conversion. */
  readonly conversionId: number;
}
