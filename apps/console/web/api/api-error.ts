import type { ConsoleErrorCode } from '../../src/contract/session.ts';

/** What is wrong with one field of a form. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

interface Refused {
  readonly status: number;
  /** The header `Leadback-Error`; undefined if a proxy responded. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly problems?: readonly FieldProblem[] | undefined;
}

/** A response that is no success, or none at all: then `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** Of each field, if the server names them. */
  readonly problems: readonly FieldProblem[];

  constructor(message: string, { status, code, requestId, problems = [] }: Refused) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.problems = problems;
  }

  is(code: ConsoleErrorCode): boolean {
    return this.code === code;
  }
}
