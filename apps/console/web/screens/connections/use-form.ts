import { useState } from 'react';
import type {
  ConnectionReply,
  FormField,
  NewConnectionInput,
  PlatformForm,
} from '../../../src/contract/connections.ts';
import type { FieldProblem } from '../../api/api-error.ts';

type Content = NewConnectionInput['content'];
type EventKind = NewConnectionInput['eventKinds'][number];

/** What is stored; of a new connection nothing. */
export type Stored = Pick<ConnectionReply, 'settings' | 'credentials' | 'eventNames'> & {
  readonly eventKinds: readonly EventKind[];
};

export const nothingStored: Stored = { settings: {}, credentials: [], eventNames: {}, eventKinds: ['conversion'] };

/** The partner's name for an event, and the platform's. `key`: of the row, while both are typed. */
export interface NamePair {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

const pairsOf = (names: Stored['eventNames']): readonly NamePair[] =>
  Object.entries(names).map(([name, value], key) => ({ key, name, value }));

const kindOf = ({ credentials }: PlatformForm, stored: readonly string[]): number =>
  Math.max(
    credentials.findIndex((fields) => fields.some(({ name }) => stored.includes(name))),
    0,
  );

/**
 * What is typed over what is stored, which may change meanwhile: only what was typed is kept apart, and sent.
 */
export const useForm = (platform: PlatformForm, stored: Stored) => {
  const [typed, setTyped] = useState<Content>({});
  const [chosenKind, setKind] = useState<number>();
  const [chosenEvents, setEvents] = useState<readonly EventKind[]>();
  const [chosenNames, setNames] = useState<readonly NamePair[]>();
  const kind = chosenKind ?? kindOf(platform, stored.credentials ?? []);
  const credentials = platform.credentials[kind] ?? [];
  const eventKinds = chosenEvents ?? stored.eventKinds;
  const names = chosenNames ?? pairsOf(stored.eventNames);
  const ofKind = new Set([...platform.settings, ...credentials].map(({ name }) => name));
  const content: Content = Object.fromEntries(Object.entries(typed).filter(([name]) => ofKind.has(name)));

  return {
    kind,
    chooseKind: setKind,
    credentials,
    /** The text of a setting; secrets have none unless they are typed. */
    valueOf: ({ name }: FormField): string => {
      const value = typed[name] ?? stored.settings[name] ?? '';
      return typeof value === 'string' ? value : '';
    },
    isTyped: ({ name }: FormField): boolean => typed[name] !== undefined,
    isFileChosen: ({ name }: FormField): boolean => typeof typed[name] === 'object',
    isStored: ({ name }: FormField): boolean => stored.credentials?.includes(name) === true,
    type: ({ name }: FormField, value: Content[string]) => setTyped((before) => ({ ...before, [name]: value })),
    keep: ({ name }: FormField) =>
      setTyped((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== name))),
    eventKinds,
    toggleEvent: (event: EventKind) =>
      setEvents(eventKinds.includes(event) ? eventKinds.filter((one) => one !== event) : [...eventKinds, event]),
    names,
    setNames,
    isChanged: Object.keys(content).length > 0 || chosenEvents !== undefined || chosenNames !== undefined,
    reset: () => {
      setTyped({});
      setKind(undefined);
      setEvents(undefined);
      setNames(undefined);
    },
    input: {
      content,
      eventKinds: [...eventKinds],
      eventNames: Object.fromEntries(
        names
          .filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
          .map(({ name, value }) => [name, value]),
      ),
    },
  };
};

export type Form = ReturnType<typeof useForm>;

/** What the server says about a field; undefined: nothing. */
export const problemOf = (problems: readonly FieldProblem[], field: string): string | undefined =>
  problems.find((one) => one.field === field)?.message;
