// The load generator, in a process of its own. It writes prepared bytes to plain sockets and reads no more of a response
// than status and length: 16 µs per request, as wrk, where autocannon takes 25 to 34 and would be the limit of plain HTTP.
import { respond } from '../bench-process.ts';
import { loadSchema } from './load.ts';
import { runLoad } from './run-load.ts';

respond((message) => runLoad(loadSchema.parse(message)));
