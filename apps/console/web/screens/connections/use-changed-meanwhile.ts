import type { ConnectionReply, PlatformForm } from '../../../src/contract/connections.ts';
import { useTexts } from '../../text/language.tsx';
import { connectionTexts } from './texts.ts';
import { useFieldText } from './use-field-text.ts';

interface Changed {
  readonly label: string;
  /** Empty: removed. */
  readonly now: string;
}

const written = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(([name, value]) => `${name} → ${value}`)
    .toSorted((one, other) => one.localeCompare(other))
    .join(', ');

/** What somebody else has changed since a person saw the connection. Secrets are never shown: that they may differ is. */
export const useChangedMeanwhile = (
  platform: PlatformForm,
  seen: ConnectionReply,
  now: ConnectionReply,
): readonly Changed[] => {
  const texts = useTexts(connectionTexts);
  const textOf = useFieldText(platform.name);
  if (seen.edition === now.edition) return [];
  const eventsOf = ({ connection }: ConnectionReply) =>
    connection.eventKinds
      .map((kind) => texts.eventNames[kind])
      .toSorted((one, other) => one.localeCompare(other))
      .join(', ');
  const fields = platform.settings.map((field) => ({
    label: textOf(field).label,
    before: seen.settings[field.name] ?? '',
    now: now.settings[field.name] ?? '',
  }));
  const told = [
    { label: texts.events, before: eventsOf(seen), now: eventsOf(now) },
    { label: texts.names, before: written(seen.eventNames), now: written(now.eventNames) },
  ];
  const changed = [...fields, ...told].filter((one) => one.before !== one.now);
  return changed.length > 0 ? changed : [{ label: texts.credentials, now: texts.maybeReplaced }];
};
