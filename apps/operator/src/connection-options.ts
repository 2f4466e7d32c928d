import { type ConnectionField, type PlatformDescriptor, platformList } from '@leadback/platforms';
import { optionFlag } from './option-flag.ts';

type Listed = Pick<PlatformDescriptor, 'title' | 'fields'>;

/** A secret has no value on the command line: the user is asked, or it comes from a file or standard input. */
const valueOf = ({ value, isFile, isSecret }: ConnectionField): string => {
  if (isFile) return `<@${value}>`;
  return isSecret ? '[@file or -]' : `<${value}>`;
};

/** `Meta, TikTok: code of "Test events"`; each text once, with the platforms that share it. */
const helpOf = (uses: readonly { readonly title: string; readonly field: ConnectionField }[]): string =>
  [...Map.groupBy(uses, ({ field }) => field.help)]
    .map(([help, sharing]) => `${sharing.map(({ title }) => title).join(', ')}: ${help}`)
    .join('; ');

/** The options for the settings and credentials of all platforms; the schemas of each platform validate them. */
export const connectionOptions = (
  platforms: readonly Listed[] = platformList,
): readonly (readonly [flags: string, help: string])[] => {
  const uses = platforms.flatMap(({ title, fields }) => fields.map((field) => ({ title, field })));
  return [...Map.groupBy(uses, ({ field }) => field.name)].map(([name, same]) => {
    const [value = '<value>'] = same.map(({ field }) => valueOf(field));
    return [`${optionFlag(name)} ${value}`, helpOf(same)];
  });
};
