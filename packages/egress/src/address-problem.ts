import { addressKind } from './address-kind.ts';

export interface EgressOptions {
  /** Whether this machine may be reached, also without TLS: for tests. */
  readonly allowLoopback: boolean;
}

/** A code of a refused connection: see `problems`. */
export type ProblemCode =
  | 'PRIVATE_ADDRESS'
  | 'HTTPS_REQUIRED'
  | 'URL_HAS_CREDENTIALS'
  | 'URL_INVALID'
  | 'OWN_HOST'
  | 'NAME_NOT_FOUND';

/** Why there is no connection to an address; undefined if there may be one. */
export const addressProblem = (
  address: string,
  { allowLoopback, isSecure }: EgressOptions & { readonly isSecure: boolean },
): ProblemCode | undefined => {
  const kind = addressKind(address);
  if (kind === 'loopback' && allowLoopback) return undefined;
  if (kind !== 'public') return 'PRIVATE_ADDRESS';
  return isSecure ? undefined : 'HTTPS_REQUIRED';
};
