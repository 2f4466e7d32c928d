/** needs_attention: the other side refuses what the source asks it with; its events wait until an operator fixes it. */
export const sourceStates = ['active', 'paused', 'needs_attention'] as const;
export type SourceState = (typeof sourceStates)[number];

/** Why a person must act. refused: what is sent to it has a wrong signature. paused: events wait until it is resumed. */
export const sourceTroubles = ['needs_attention', 'refused', 'paused'] as const;
export type SourceTrouble = (typeof sourceTroubles)[number];

/**
 * What an event of a source came to. adjusted: a sale has another total. repeated: it was counted already. ignored: it is
 * no sale, or none yet. without-click: a sale that no click led to; it is counted as this, and never sent.
 */
export const sourceOutcomes = ['sale', 'adjusted', 'repeated', 'ignored', 'without-click', 'failed'] as const;
export type SourceOutcome = (typeof sourceOutcomes)[number];

/** For how long repeats are recognised and bodies are kept, and of which time a source is described. */
export const sourceEventDays = 30;
