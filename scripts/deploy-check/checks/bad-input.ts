import { join } from 'node:path';
import { root } from '../../start/data-folder.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';

/** A container that must end by itself, with status 1 and a sentence that says what to do. */
interface BadInput {
  readonly what: string;
  readonly service: string;
  /** Options of `docker compose run`. */
  readonly options: readonly string[];
  readonly sentence: RegExp;
}

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;
const endMaxSeconds = 30;
const emptyDatabase = 'empty';

const badInputs = ({ settings }: ComposeStack): readonly BadInput[] => [
  { what: 'a missing secret', service: 'api', options: ['--env', 'SECRETS_KEY='], sentence: /→ at SECRETS_KEY/ },
  {
    what: 'a key of the wrong length',
    service: 'feedback-worker',
    options: ['--env', 'SECRETS_KEY=c2hvcnQ='],
    sentence: /expected 32 bytes in base64[^]*→ at SECRETS_KEY/,
  },
  ...apps.map((service) => ({
    what: `a key of another installation (${service})`,
    service,
    options: ['--env', `SECRETS_KEY=${Buffer.alloc(32, 7).toString('base64')}`],
    sentence: /SECRETS_KEY is not the key of this database[^"]*/,
  })),
  ...apps.map((service) => {
    const name = service.replace('-', '_');
    const user = `leadback_${name}:${settings[`LEADBACK_${name.toUpperCase()}_PASSWORD`]}`;
    return {
      what: `a database without tables (${service})`,
      service,
      options: ['--env', `DATABASE_URL=postgres://${user}@postgres:5432/${emptyDatabase}`],
      sentence: /the database is not migrated .*Run `database migrate`/,
    };
  }),
  {
    what: 'a port that is taken',
    service: 'api',
    options: ['--env', 'OPERATIONS_PORT=3001'],
    sentence: /port 3001 on 0\.0\.0\.0 is in use\. Stop the process .* set PORT or OPERATIONS_PORT/,
  },
  {
    what: 'a volume that it may not write to',
    service: 'landing',
    // a new volume belongs to root
    options: ['--volume', '/leads', '--env', 'LEAD_SPOOL_FOLDER=/leads'],
    sentence: /cannot write to \/leads \(\w+\)\. Give LEAD_SPOOL_FOLDER to the user/,
  },
];

/** Starts containers with mistakes that happen at a first deployment. */
export const checkBadInput = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('bad input');
  const sql = ['exec', '--no-TTY', 'postgres', 'psql', '--username=postgres', '--quiet', '--command'];
  await stack.compose(...sql, `create database ${emptyDatabase}`);
  for (const { what, service, options, sentence } of badInputs(stack)) {
    await check(`${what} ends the container with what to do`, async () => {
      const run = ['run', '--rm', '--no-TTY', '--no-deps', ...options, service];
      const name = `leadback-deploy-check-bad-${service}`;
      const ended = stack.tryCompose(...run.toSpliced(1, 0, '--name', name));
      const timer = setTimeout(() => void stack.engine.tryDocker('rm', '--force', name), endMaxSeconds * 1_000);
      const { status, output } = await ended;
      clearTimeout(timer);
      const said = sentence.exec(output)?.[0];
      if (status !== 1 || said === undefined) throw new Error(`status ${status}: ${output.slice(-500)}`);
      return said.replaceAll(/\s+/g, ' ').slice(0, 160);
    });
  }
  await check('docker compose names a missing secret and the script that generates it', async () => {
    const file = ['--file', join(root, 'docker-compose.yml'), '--env-file', '/dev/null'];
    const { status, output } = await stack.engine.tryDocker('compose', ...file, 'config');
    if (status === 0 || !output.includes('sh deploy/compose/new-env.sh prints a line for it')) throw new Error(output);
  });
};
