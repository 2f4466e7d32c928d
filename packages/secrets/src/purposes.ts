/**
 * Every purpose for which keys are derived from `SECRETS_KEY`; `app-keys.ts` says which app has which. The text is part of
 * the derivation: changing one makes everything encrypted, signed or issued for that purpose unreadable.
 */
export type Purpose =
  /** The data keys of accounts. */
  | 'account key'
  | 'consent request'
  /** The person that an erasure is about, until it has ended. */
  | 'erasure'
  /** Signs what an erasure erased and kept (Ed25519). */
  | 'erasure receipt'
  /** Marks browsers in which somebody has signed in to the console. */
  | 'known browser'
  /** Signs which leads a browser has left. */
  | 'lead proof'
  | 'lead reference'
  | 'page preview'
  | 'platform credentials'
  /** Of people who sign in to the console. */
  | 'second factor'
  /** What forms of the visitor's page name leads by. */
  | 'visitor page'
  /** Secrets of webhooks, with which what is sent to partners is signed. */
  | 'webhook secret'
  /** Leads that are buffered until PostgreSQL can record them. */
  | 'waiting lead 1';
