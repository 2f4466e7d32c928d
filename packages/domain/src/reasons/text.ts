import type { HeldReason, SkipReason } from '../delivery.ts';

/** Why a conversion waits that nobody has to help, or how far it came. */
export type WaitReason =
  | HeldReason
  | 'early'
  | 'quota'
  | 'connection_rests'
  | 'internal_error'
  | 'waiting'
  | 'connection_paused'
  | 'connection_needs_attention'
  | 'not_reported_yet'
  | 'not_reported';

/** Those of Google say so little that we say what to do. */
export type FailReason =
  | 'retries_exhausted'
  | 'CLICK_NOT_FOUND'
  | 'INVALID_OPERATING_ACCOUNT_FOR_CLICK'
  | 'INVALID_GCLID'
  | 'CONVERSION_PRECEDES_CLICK'
  | 'TOO_RECENT_CLICK'
  | 'DENIED_CONSENT';

export interface ReasonText {
  readonly title: string;
  /** A function of the age in days up to which the platform accepts events. Missing: the title says all. */
  readonly meaning?: string | ((eventDaysMax: number) => string);
  /** What helps; missing: nothing, for these deliveries. */
  readonly remedy?: string;
}

/** What people read of a reason, by its code. Others are explained by what the platform says. */
export type ReasonTexts = Readonly<
  Record<SkipReason | FailReason, ReasonText & Required<Pick<ReasonText, 'meaning'>>> & Record<WaitReason, ReasonText>
>;
