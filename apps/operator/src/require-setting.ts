import { OperatorError } from './operator-error.ts';

/** A setting that not every command needs. Throws an OperatorError where it is left out. */
export const requireSetting = <Value>(name: string, value: Value | undefined): Value => {
  if (value === undefined) throw new OperatorError(`this command needs ${name}; .env.example has a line on it`);
  return value;
};
