// Run as a separate process that tests kill: starts a server, prints its process id and keeps running.
import { startPostgres, startRabbitmq } from '../src/stack/index.ts';

const [what, dir = ''] = process.argv.slice(2);

const { pid } = what === 'postgres' ? await startPostgres({ dir }) : await startRabbitmq({ dir });
process.stdout.write(`${pid}\n`);
