import type { ConsoleErrorCode } from '../../src/contract/session.ts';

interface Refused {
  readonly status: number;
  /** The header `Leadback-Error`; undefined if a proxy responded. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
}

/** A response that is no success, or none at all: then `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, requestId }: Refused) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }

  is(code: ConsoleErrorCode): boolean {
    return this.code === code;
  }
}
