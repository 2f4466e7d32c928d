import { isDeepStrictEqual } from 'node:util';
import type { ConnectionContent } from './connection-content.ts';
import type { ToldEvents } from './connection-events.ts';

interface Content extends ToldEvents {
  readonly settings: ConnectionContent;
  readonly credentials: ConnectionContent;
}

interface Difference {
  readonly before: unknown;
  readonly after: unknown;
}

type Differences = Readonly<Record<string, Difference>>;

const namesOf = (before: object, after: object) => [...new Set([...Object.keys(before), ...Object.keys(after)])];

const differences = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    namesOf(before, after)
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );

const shown = (value: unknown, whenSet: string) => (value === null ? null : whenSet);

/** Says which credentials were set, replaced or removed, and none of their values. */
const ofCredentials = (before: ConnectionContent, after: ConnectionContent): Differences =>
  Object.fromEntries(
    Object.entries(differences(before, after)).map(([name, { before: former, after: now }]) => [
      name,
      { before: shown(former, 'set'), after: shown(now, former === null ? 'set' : 'replaced') },
    ]),
  );

/** What differs, field by field, for the audit log. */
export const describedChange = (before: Content, after: Content): Differences => ({
  ...differences(before.settings, after.settings),
  ...ofCredentials(before.credentials, after.credentials),
  ...differences(
    { events: before.eventKinds.toSorted(), eventNames: before.eventNames },
    { events: after.eventKinds.toSorted(), eventNames: after.eventNames },
  ),
});
