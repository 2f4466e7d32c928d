import type { Failure } from '@leadback/domain';

/** How an operator fixes a rejected connection. */
export interface Remedy {
  /** Why the platform rejects the connection and how to fix it, in full sentences. */
  readonly words: string;
  /** The settings and credentials to enter again after the fix. */
  readonly change: readonly string[];
  /** Alternative kinds of credentials, of which the connection has one; that one is entered again as well. */
  readonly credentials?: readonly string[];
}

/** The meaning of an error code. A code that rejects the connection is listed with its remedy, so none lacks one. */
export type CodeMeaning = Exclude<Failure, 'refused'> | Remedy;

/** Everything that is known about a platform's error codes. */
export interface Codes {
  /** By code, as the platform writes it. */
  readonly table: Readonly<Record<string, CodeMeaning>>;
  /** Finds the meaning of a stored reason, which begins with the code. */
  meaningOf(reason: string): CodeMeaning | undefined;
  /** For rejections whose code is not in the table. */
  readonly otherRemedy: Remedy;
  /** What it means if `connection check` is rejected with this code, in full sentences. Missing: nothing in particular. */
  readonly rejectedChecks?: Readonly<Record<string, string>>;
}

export const isRemedy = (meaning: CodeMeaning | undefined): meaning is Remedy => typeof meaning === 'object';

export const verdictOf = (meaning: CodeMeaning | undefined): Failure | undefined =>
  isRemedy(meaning) ? 'refused' : meaning;
