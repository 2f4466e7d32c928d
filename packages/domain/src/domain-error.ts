/** Everything that can be wrong with a request beyond its shape. A closed list: the map to HTTP is checked by the compiler. */
export type DomainErrorCode =
  | 'key-missing'
  | 'key-mistyped'
  | 'key-unknown'
  | 'key-expired'
  | 'account-suspended'
  | 'lead-unknown'
  | 'lead-under-way'
  | 'client-unknown'
  | 'conversion-unknown'
  | 'conversion-repeated'
  | 'request-running'
  | 'idempotency-key-reused';

/** A rule of the service was not met. The message is for the caller and names what to mend; it quotes no input. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;

  constructor(code: DomainErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
