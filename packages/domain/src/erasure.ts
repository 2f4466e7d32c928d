/** Who asked for an erasure: a visitor on the landing pages, a partner by the API, an operator or a person of the console. */
export const erasureAskers = ['visitor', 'partner', 'operator', 'console'] as const;
export type ErasureAsker = (typeof erasureAskers)[number];

/** By what the person to erase was named. */
export const erasureNames = ['email', 'lead', 'reference'] as const;
export type ErasureName = (typeof erasureNames)[number];

export const erasureStates = ['pending', 'done', 'failed'] as const;
export type ErasureState = (typeof erasureStates)[number];
