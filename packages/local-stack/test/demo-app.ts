// Stands in for an app: responds at PORT with its environment, or exits with an error if BREAK is set.
import { createServer } from 'node:http';

if (process.env['BREAK']) {
  for (let line = 1; line <= 30; line += 1) process.stderr.write(`line ${line}\n`);
  process.exit(3);
}
createServer((_request, response) => response.end(JSON.stringify(process.env))).listen(Number(process.env['PORT']));
