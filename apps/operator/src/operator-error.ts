/** An error whose message is printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
