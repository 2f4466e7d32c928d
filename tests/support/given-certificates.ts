import { execFile } from 'node:child_process';
import { chown, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const execute = promisify(execFile);

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Authority {
  readonly caFile: string;
  /** A certificate for this name, such as `DNS:localhost`, in a folder of its own. In the given one, its files belong to its owner. */
  issue(subjectAlternativeName: string, within?: string): Promise<Certificate>;
}

/** A certificate authority of its own. */
export const givenAuthority = async (): Promise<Authority> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'authority-'));
  const openssl = (...args: readonly string[]) => execute('openssl', args, { cwd: folder });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=authority',
  );
  let issued = 0;
  return {
    caFile: join(folder, 'ca.pem'),
    async issue(subjectAlternativeName, within) {
      issued += 1;
      const its = await mkdtemp(join(within ?? inject('temporaryFolder'), `certificate-${issued}-`));
      const [certFile, keyFile] = [join(its, 'cert.pem'), join(its, 'key.pem')];
      const [request, extensions] = [join(its, 'request.pem'), join(its, 'extensions')];
      await writeFile(extensions, `subjectAltName=${subjectAlternativeName}\n`);
      await openssl('req', ...newKey, '-keyout', keyFile, '-out', request, '-subj', '/CN=server');
      const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      await openssl(
        'x509',
        '-req',
        '-in',
        request,
        ...authority,
        '-days',
        '2',
        '-extfile',
        extensions,
        '-out',
        certFile,
      );
      if (within !== undefined) {
        const { uid, gid } = await stat(within);
        for (const file of [its, certFile, keyFile]) await chown(file, uid, gid);
      }
      return { certFile, keyFile };
    },
  };
};
