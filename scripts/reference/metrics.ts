import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/data-folder.ts';
import { list, pageOf } from './table.ts';

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly app: string;
  readonly labels: readonly string[];
  readonly help: string;
}

// an instrument as the apps write it: `counter({ name: …, help: …, labels: … })`
const instrument =
  /\b(counter|gauge|histogram)(?:<\w+>)?\(\{\s*name: '(leadback_\w+)',\s*help: '([^']+)',\s*(?:labels: (\w+|\{[^}]*\}))?/g;

const labelsIn = (source: string, written = ''): readonly string[] => {
  const literal = written.startsWith('{')
    ? written
    : (new RegExp(`const ${written} = (\\{[^}]*\\})`).exec(source)?.[1] ?? '');
  return Array.from(literal.matchAll(/(\w+):/g), ([, label = '']) => label);
};

const metricsIn = (file: string): Metric[] => {
  const source = readFileSync(join(root, file), 'utf8');
  const app = file.startsWith('apps/') ? (file.split('/')[1] ?? '') : 'every app';
  return Array.from(source.matchAll(instrument), ([, type = '', name = '', help = '', labels]) => ({
    name,
    type,
    app,
    labels: labelsIn(source, labels),
    help,
  }));
};

/** The metrics of all apps, those that several have once. */
const metrics = (): Metric[] => {
  const files = globSync(['apps/*/src/**/*.ts', 'packages/server/src/**/*.ts'], { cwd: root }).toSorted();
  const byName = Map.groupBy(files.filter((file) => !file.endsWith('.test.ts')).flatMap(metricsIn), ({ name }) => name);
  return [...byName.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, app: [first, ...others].map(({ app }) => app).join(', ') }] : [],
  );
};

/** What it counts; the labels say by what, and `/metrics` has the rest. */
const shortOf = (help: string) =>
  help.split(
    /[;.:] |, (?:by|because|since|including|from|without|measured|as far|one per)\b| \(|, in seconds| by outcome/,
  )[0] ?? help;

/** As Prometheus writes it, with the labels; the name says which are counters. */
const entryOf = ({ name, type, labels, help }: Metric): readonly [string, string] => [
  `\`${name}${labels.length > 0 ? `{${labels.join(',')}}` : ''}\`${type === 'histogram' ? ' histogram' : ''}`,
  shortOf(help),
];

export const metricsPage = (): string => {
  const parts = [...Map.groupBy(metrics(), ({ app }) => app)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return pageOf(
    'Metrics',
    'For platform teams: what `/metrics` exports, beside those of Node.js. It says of each whether tests count. [Incidents](incidents.md) has the alerts.',
    ...parts.map(([app, own]) => `## ${app}\n\n${list(own.map(entryOf))}`),
  );
};
