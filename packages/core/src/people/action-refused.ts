export type RefusedBecause = 'invalid' | 'guessable' | 'not-found' | 'conflict';

/** An action of a person that cannot be done. The message names the input and the fix. */
export class ActionRefused extends Error {
  override readonly name = 'ActionRefused';
  readonly because: RefusedBecause;

  constructor(because: RefusedBecause, message: string) {
    super(message);
    this.because = because;
  }
}
