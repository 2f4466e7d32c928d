const decimal = /^\d+(\.\d+)?$/;

/** An exact decimal as a number; `undefined` if the text is not one. */
export const amountValue = (amount: string): number | undefined => {
  const value = decimal.test(amount) ? Number(amount) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
};
