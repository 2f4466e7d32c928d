// `npm run operator -- …`: the operator's command line, for DATABASE_URL or for a running `npm start`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, readRunning } from './start/data-folder.ts';

const running = process.env.DATABASE_URL === undefined ? readRunning() : undefined;
const words = process.argv.slice(2);
const changesSchema = words[0] === 'database' || words[0] === 'retention';

const operator = spawn(process.execPath, [join(root, 'apps/operator/src/main.ts'), ...words], {
  stdio: 'inherit',
  env: {
    ...(running && {
      DATABASE_URL: changesSchema ? running.operator.ownerDatabaseUrl : running.operator.databaseUrl,
      AMQP_URL: running.operator.amqpUrl,
      SECRETS_KEY: running.secretsKey,
      LANDING_URL: running.landing,
      API_URL: running.api.replace(/\/api\/v1$/, ''),
      CONSOLE_URL: running.console,
      PLATFORM_SANDBOX_URL: running.sandbox,
    }),
    ...process.env,
  },
});
operator.once('exit', (status) => {
  process.exitCode = status ?? 1;
});
