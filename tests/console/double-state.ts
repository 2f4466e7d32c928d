import type { Response } from 'express';
import type { ConsoleErrorCode, Role } from '../../apps/console/src/contract/session.ts';

/** What the double of the console's server remembers. */
export interface DoubleState {
  person: { readonly role: Role } | undefined;
  failure: { readonly path: RegExp; readonly status: number } | undefined;
  /** Deliveries that the retry has sent; undefined: none was started. */
  retried: number | undefined;
}

export const refuse = (
  response: Response,
  status: number,
  code: ConsoleErrorCode | 'internal' | 'not-found',
  message: string,
): void => {
  response.status(status).set('leadback-error', code).json({ message });
};
