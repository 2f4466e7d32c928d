export interface CallOptions {
  /** Aborts the call and its retries; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface RegisterOptions extends CallOptions {
  /** Replaces the random `Idempotency-Key` of the call, for a retry by a later call. Valid for 24 hours. */
  readonly idempotencyKey?: string | undefined;
}

export interface BatchOptions extends CallOptions {
  /** Returns the outcomes and changes nothing. */
  readonly dryRun?: boolean | undefined;
}
