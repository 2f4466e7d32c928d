import { type PlatformDescriptor, platformList } from '@leadback/platforms';
import { optionFlag } from './option-flag.ts';

type Listed = Pick<PlatformDescriptor, 'title' | 'fields' | 'credentialKinds'>;

interface Row {
  readonly title: string;
  readonly option: string;
  readonly help: string;
}

/** `or` before the first credential of a further kind, `with` before its other ones. */
const joinOf = (name: string, kinds: Listed['credentialKinds']): string => {
  const kind = kinds.findIndex((names) => names.includes(name));
  if (kind <= 0) return '';
  return kinds[kind]?.[0] === name ? 'or ' : 'with ';
};

const rowsOf = ({ title, fields, credentialKinds }: Listed): readonly Row[] =>
  fields.map(({ name, isRequired, help }) => ({
    title,
    option: `${joinOf(name, credentialKinds)}\`${optionFlag(name)}\`${isRequired ? '' : ' (optional)'}`,
    help,
  }));

/** The table of docs/connections.md: every setting and credential of a connection, in Markdown. */
export const connectionTable = (platforms: readonly Listed[] = platformList): string => {
  const rows = Map.groupBy(platforms.flatMap(rowsOf), ({ option, help }) => `| ${option} | ${help} |`);
  return [
    '| platform | option | what it is |',
    '|---|---|---|',
    ...[...rows].map(([text, same]) => `| ${same.map(({ title }) => title).join(', ')} ${text}`),
  ].join('\n');
};
