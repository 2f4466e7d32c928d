import { type Installation, installWithApt } from './install-with-apt.ts';

interface Wanted extends Installation {
  readonly find: () => string | undefined;
  readonly packageName: string;
}

/** The path of the program; installs it if missing. */
export const findOrInstall = async ({ find, packageName, ...installation }: Wanted): Promise<string> => {
  const installed = find();
  if (installed) return installed;
  await installWithApt(packageName, installation);
  const fresh = find();
  if (!fresh) throw new Error(installation.advice);
  return fresh;
};
