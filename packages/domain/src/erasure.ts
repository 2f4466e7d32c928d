/** Who asked for an erasure: a visitor on the landing pages, a partner by the API, an operator or a person of the console. */
export const erasureAskers = ['visitor', 'partner', 'operator', 'console'] as const;
export type ErasureAsker = (typeof erasureAskers)[number];

/** By what the person to erase was named. */
export const erasureNames = ['email', 'lead', 'reference'] as const;
export type ErasureName = (typeof erasureNames)[number];

/** Who decides on an erasure that a visitor has asked for. */
export const erasureDeciders = ['partner', 'console'] as const;
export type ErasureDecider = (typeof erasureDeciders)[number];

/** What a visitor had of the lead: the cookie that proves that the browser has left it, or the reference alone. */
export const erasureWays = ['cookie', 'reference'] as const;
export type ErasureWay = (typeof erasureWays)[number];

/** `asked`: a visitor asked, and the account decides; `lapsed`: it did not, and whom it was about is forgotten. */
export const erasureStates = ['pending', 'asked', 'done', 'failed', 'lapsed'] as const;
export type ErasureState = (typeof erasureStates)[number];

/** For so long, an account may decide on an erasure that a visitor has asked for: as long as the GDPR gives it to answer. */
export const askedErasureDays = 30;

/** How many erasures a partner may ask for with one API key within a day. */
export const erasuresPerKeyAndDay = 1_000;
