import type { WrongEvent } from '@leadback/domain';

/** A `FieldViolation` of google.rpc.BadRequest. */
export interface FieldViolation {
  /** For example `events.events[3].currency`, or `events[3]`. */
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

const place = /^(?:events\.)?events\[(\d+)\]/;

/**
 * The events that an error names, each once and with its first reason. `sent`: the number of events in the request.
 * `undefined` if the error names anything else as well, because then the other events may be invalid too.
 */
export const wrongEventsOf = (violations: readonly FieldViolation[], sent: number): WrongEvent[] | undefined => {
  const reasons = new Map<number, string>();
  for (const { field, reason, description } of violations) {
    const index = Number(place.exec(field)?.[1] ?? sent);
    if (index >= sent) return undefined;
    if (!reasons.has(index)) reasons.set(index, [reason, description].filter(Boolean).join(': ') || 'INVALID_ARGUMENT');
  }
  return reasons.size === 0 ? undefined : Array.from(reasons, ([index, reason]) => ({ index, reason }));
};
