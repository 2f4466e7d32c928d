const decimal = /^\d+(\.\d+)?$/;

/** The number that the platforms want of an exact decimal; `undefined` where the text is none. */
export const amountValue = (amount: string): number | undefined => {
  const value = decimal.test(amount) ? Number(amount) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};
