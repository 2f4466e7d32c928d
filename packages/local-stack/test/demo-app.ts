// Stands for an app: answers at PORT with what it is told of its surroundings, or ends as BREAK asks for.
import { createServer } from 'node:http';

if (process.env['BREAK']) {
  for (let line = 1; line <= 30; line += 1) process.stderr.write(`line ${line}\n`);
  process.exit(3);
}
createServer((_request, response) => response.end(JSON.stringify(process.env))).listen(Number(process.env['PORT']));
