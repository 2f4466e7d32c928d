import type { RefusalCode } from './refusals.ts';

/**
 * A request that breaks a rule of the API. The message is for the caller: it names the field and the fix, and never
 * quotes input.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  /** Only for `conversion-repeated`: the conversion that was registered first. */
  readonly conversionId: number | undefined;

  constructor(code: RefusalCode, message: string, { conversionId }: { readonly conversionId?: number } = {}) {
    super(message);
    this.code = code;
    this.conversionId = conversionId;
  }
}
