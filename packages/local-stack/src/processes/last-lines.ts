import { readFileSync } from 'node:fs';

const linesShown = 20;

export const lastLines = (file: string): string =>
  readFileSync(file, 'utf8').trimEnd().split('\n').slice(-linesShown).join('\n');
