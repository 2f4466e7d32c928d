// Run as a separate process that tests kill: starts a server or app, prints its process id and keeps running.
import { freePort, startPostgres, startRabbitmq } from '../src/index.ts';
import { startDemoApp } from './start-demo-app.ts';

const [what, dir = ''] = process.argv.slice(2);

const start = async () => {
  if (what === 'postgres') return startPostgres({ dir });
  if (what === 'rabbitmq') return startRabbitmq({ dir });
  return startDemoApp(dir, await freePort());
};

const { pid } = await start();
process.stdout.write(`${pid}\n`);
