import { OperatorError } from './operator-error.ts';

/** Throws an OperatorError if the setting is missing. */
export const requireSetting = <Value>(name: string, value: Value | undefined): Value => {
  if (value === undefined) throw new OperatorError(`this command needs ${name}; set it as .env.example shows`);
  return value;
};
