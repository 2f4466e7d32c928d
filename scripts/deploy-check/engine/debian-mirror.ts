import { runProgram } from './program.ts';

/** The mirror from which this machine installs Debian's packages. */
export const debianMirror = async (): Promise<string> => {
  const sites = await runProgram(['apt-get', 'indextargets', '--format', '$(SITE)', 'Created-By: Packages']).catch(
    () => '',
  );
  return (
    sites.split('\n').find((site) => /debian\.org\/debian$|\/debian$/.test(site)) ?? 'http://deb.debian.org/debian'
  );
};
