import { runOperator } from './run-operator.ts';

process.exitCode = await runOperator(process.argv.slice(2), process);
