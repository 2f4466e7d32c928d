import { readFileSync } from 'node:fs';

const linesShown = 20;

/** The end of a log file, to be shown in an error. */
export const lastLines = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-linesShown).join('\n');
