import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file that only the user of this process may read. */
export const writePrivately = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600 });

/** Runs `act` so that the files that it makes, and those of processes that it starts, are for this user alone. */
export const privately = <Result>(act: () => Result): Result => {
  const before = process.umask(0o077);
  try {
    return act();
  } finally {
    process.umask(before);
  }
};

const password = (): string => randomBytes(24).toString('hex');

/**
 * The password of all users of a server, in its folder, generated at the first start: who can read it may also start what
 * uses it. Throws if the folder has data from before servers had passwords.
 */
export const storedPassword = (dir: string): string => {
  const file = join(dir, 'password');
  if (!existsSync(file)) {
    if (existsSync(join(dir, 'data'))) {
      throw new Error(
        `${dir} has data of an earlier version, which every user of this machine could read and change. Forget them with: npm start -- --fresh`,
      );
    }
    writePrivately(file, password());
  }
  return readFileSync(file, 'utf8');
};
