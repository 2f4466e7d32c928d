import { addressKind } from './address-kind.ts';

export interface EgressOptions {
  /** Whether this machine may be reached, also without TLS: for tests. */
  readonly allowLoopback: boolean;
  /** Which ports of other machines may be reached. Default: `defaultPorts`. */
  readonly ports?: readonly number[];
}

/** Those of HTTPS: a webhook to any other one would tell its partner what listens there. */
export const defaultPorts: readonly number[] = [443, 8443];

/** A code of a refused connection: see `problems`. */
export type ProblemCode =
  | 'PRIVATE_ADDRESS'
  | 'HTTPS_REQUIRED'
  | 'URL_HAS_CREDENTIALS'
  | 'PORT_NOT_ALLOWED'
  | 'URL_INVALID'
  | 'OWN_HOST'
  | 'NAME_NOT_FOUND';

export interface Attempt extends EgressOptions {
  readonly isSecure: boolean;
  readonly port: number;
}

/** Why there is no connection to an address; undefined if there may be one. */
export const addressProblem = (
  address: string,
  { allowLoopback, isSecure, port, ports = defaultPorts }: Attempt,
): ProblemCode | undefined => {
  const kind = addressKind(address);
  if (kind === 'loopback' && allowLoopback) return undefined;
  if (kind !== 'public') return 'PRIVATE_ADDRESS';
  if (!isSecure) return 'HTTPS_REQUIRED';
  return ports.includes(port) ? undefined : 'PORT_NOT_ALLOWED';
};
