// `npm run operator -- …`: the operator's command line, on DATABASE_URL or on the `npm start` that runs here.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './start/data-folder.ts';
import { readRunning } from './start/running-file.ts';

const running = process.env.DATABASE_URL === undefined ? readRunning() : undefined;

const operator = spawn(process.execPath, [join(root, 'apps/operator/src/main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...(running && {
      DATABASE_URL: running.ownerDatabaseUrl,
      AMQP_URL: running.amqpUrl,
      SECRETS_KEY: running.secretsKey,
      LANDING_URL: running.landing,
      META_API_URL: running.sandbox,
      GOOGLE_API_URL: running.sandbox,
      GOOGLE_OAUTH_URL: running.sandbox,
      TIKTOK_API_URL: running.sandbox,
    }),
    ...process.env,
  },
});
operator.once('exit', (status) => {
  process.exitCode = status ?? 1;
});
