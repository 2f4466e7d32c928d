// Run as a separate process: picks this many ports, prints them and keeps them until its input ends.
import { once } from 'node:events';
import { freePort } from '../src/index.ts';

const ports: number[] = [];
while (ports.length < Number(process.argv[2])) ports.push(await freePort());
process.stdout.write(`${ports.join(' ')}\n`);
await once(process.stdin.resume(), 'end');
