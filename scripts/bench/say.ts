/** Tells on standard error what is being done; standard output has only figures. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
