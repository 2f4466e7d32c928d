import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { codeBlocks, root } from '../support/code-blocks.ts';

const execute = promisify(execFile);
const deploy = join(root, 'deploy');
const definitionsSchema = z.looseObject({
  users: z.array(z.object({ name: z.string(), password: z.string(), tags: z.array(z.string()) })),
});

const scripts = {
  'rabbitmq/start.sh': {
    RABBITMQ_LANDING_PASSWORD: 'of-landing',
    RABBITMQ_API_PASSWORD: 'of.api',
    RABBITMQ_FEEDBACK_WORKER_PASSWORD: 'of_worker~1',
    RABBITMQ_OPERATOR_PASSWORD: 'of-operator',
  },
  'postgres/roles.sh': {
    LEADBACK_OWNER_PASSWORD: 'of-owner',
    LEADBACK_LANDING_PASSWORD: 'of-landing',
    LEADBACK_API_PASSWORD: 'of-api',
    LEADBACK_FEEDBACK_WORKER_PASSWORD: 'of-worker',
    LEADBACK_CONSOLE_PASSWORD: 'of-console',
  },
};
const each = Object.entries(scripts).flatMap(([script, passwords]) =>
  Object.keys(passwords).map((name) => ({ script, passwords, name })),
);

const expectPasswords = async (definitions: string): Promise<void> => {
  const written = definitionsSchema.parse(JSON.parse(definitions));
  const deployed = definitionsSchema.parse(
    JSON.parse(await readFile(join(deploy, 'rabbitmq', 'definitions.json'), 'utf8')),
  );
  expect(written.users).toEqual([
    { name: 'landing', password: 'of-landing', tags: [] },
    { name: 'api', password: 'of.api', tags: [] },
    { name: 'feedback-worker', password: 'of_worker~1', tags: [] },
    { name: 'operator', password: 'of-operator', tags: [] },
  ]);
  expect({ ...written, users: [] }).toEqual({ ...deployed, users: [] });
};

describe('the scripts that set passwords', () => {
  let folder: string;
  const run = (script: string, env: Readonly<Record<string, string>>) =>
    execute(join(deploy, script), {
      env: { PATH: `${folder}:${process.env.PATH}`, RABBITMQ_DATA_DIR: folder, ...env },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(inject('temporaryFolder'), 'passwords-'));
    // programs of the images, which print their arguments
    const say = '#!/bin/sh\necho "$(basename "$0") $*"\n';
    await writeFile(join(folder, 'docker-entrypoint.sh'), say, { mode: 0o755 });
    await writeFile(join(folder, 'psql'), `${say}cat\n`, { mode: 0o755 });
    await writeFile(join(folder, 'curl'), `${say}cat\n`, { mode: 0o755 });
    // a program of the machine, which notes its arguments
    const { stdout: sed } = await execute('sh', ['-c', 'command -v sed']);
    const note = `#!/bin/sh\necho "sed $*" >> ${join(folder, 'command-lines')}\nexec ${sed.trim()} "$@"\n`;
    await writeFile(join(folder, 'sed'), note, { mode: 0o755 });
  });

  it.each(each)('$script fails and names a missing $name', async ({ script, passwords, name }) => {
    await expect(run(script, { ...passwords, [name]: '' })).rejects.toMatchObject({ stderr: `${name} is not set\n` });
  });

  it.each(each)('$script rejects a $name that would need escaping in a URL', async ({ script, passwords, name }) => {
    await expect(run(script, { ...passwords, [name]: 'a/b' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(name),
    });
  });

  it('start.sh starts RabbitMQ with one unprivileged user per app and keeps their passwords in a private file', async () => {
    const { stdout } = await run('rabbitmq/start.sh', scripts['rabbitmq/start.sh']);
    expect(stdout).toBe('docker-entrypoint.sh rabbitmq-server\n');
    const file = join(folder, 'leadback-definitions', 'leadback.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expectPasswords(await readFile(file, 'utf8'));
    expect(await readFile(join(deploy, 'rabbitmq', 'leadback.conf'), 'utf8')).toContain(
      'load_definitions = /var/lib/rabbitmq/leadback-definitions\n',
    );
  });

  it('start.sh gives each cell a virtual host like that of the first, and forgets those that are gone', async () => {
    const passwords = scripts['rabbitmq/start.sh'];
    const written = join(folder, 'leadback-definitions');
    await run('rabbitmq/start.sh', { ...passwords, RABBITMQ_CELLS: 'b zapatos-2' });
    expect((await readdir(written)).toSorted()).toEqual(['b.json', 'leadback.json', 'zapatos-2.json']);
    const [first, ofCell] = await Promise.all(
      ['leadback', 'zapatos-2'].map((name) => readFile(join(written, `${name}.json`), 'utf8')),
    );
    expect(ofCell).toBe(first?.replaceAll('"leadback"', '"zapatos-2"'));
    await run('rabbitmq/start.sh', passwords);
    expect(await readdir(written)).toEqual(['leadback.json']);
    await expect(run('rabbitmq/start.sh', { ...passwords, RABBITMQ_CELLS: 'B' })).rejects.toMatchObject({
      stderr: 'RABBITMQ_CELLS: B is not the name of a cell\n',
    });
  });

  it('the documented command imports the definitions with the passwords', async () => {
    const block = codeBlocks('docs/security.md').find(({ name }) => name === 'import')?.code ?? 'false';
    const passwords = Object.entries(scripts['rabbitmq/start.sh']);
    const script = passwords.reduce((text, [name, value]) => text.replace(`${name}=…`, `${name}=${value}`), block);
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const { stdout } = await execute('sh', ['-euc', script], { cwd: root, env });
    const [curl, ...definitions] = stdout.split('\n');
    expect(curl).toMatch(/^curl .*--data-binary @- \S+\/api\/definitions$/);
    expect(curl).not.toContain('of-');
    await expectPasswords(definitions.join('\n'));
  });

  it('definitions.sh passes no password as an argument', async () => {
    await run('rabbitmq/definitions.sh', scripts['rabbitmq/start.sh']);
    const commandLines = await readFile(join(folder, 'command-lines'), 'utf8');
    expect(commandLines).toMatch(/^sed .*definitions\.json$/m);
    for (const password of Object.values(scripts['rabbitmq/start.sh'])) expect(commandLines).not.toContain(password);
  });

  it('roles.sh creates the roles in the database leadback without passwords among its arguments', async () => {
    const { stdout } = await run('postgres/roles.sh', scripts['postgres/roles.sh']);
    expect(stdout).toMatch(/^psql .*--username=postgres --dbname=leadback\n/);
    expect(stdout).toContain(`\\i ${join(deploy, 'postgres')}/roles.sql`);
    expect(stdout).not.toMatch(/of-(owner|landing|api|worker|console)/);
  });
});
