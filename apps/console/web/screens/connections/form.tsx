import { useId, useState } from 'react';
import type { ConnectionReply, NewConnectionInput, PlatformForm } from '../../../src/contract/connections.ts';
import type { FormField } from '../../../src/contract/values.ts';
import type { FieldProblem } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/form.tsx';
import { useTranslated } from '../../reason/refused.tsx';
import { useLanguage, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { translatedProblem } from './problems.ts';
import { connectionTexts } from './texts.ts';

type Content = NewConnectionInput['content'];
type EventKind = NewConnectionInput['eventKinds'][number];

/** What is stored; of a new connection nothing. */
type Stored = Pick<ConnectionReply, 'label' | 'settings' | 'credentials' | 'eventNames'> & {
  readonly eventKinds: readonly EventKind[];
};

export const nothingStored: Stored = {
  label: '',
  settings: {},
  credentials: [],
  eventNames: {},
  eventKinds: ['conversion'],
};

/** The partner's name for an event, and the platform's. `key`: of the row, while both are typed. */
interface NamePair {
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

/** Settings and secrets that are typed over those that are stored. */
export const useFields = ({ settings, credentials }: Pick<Stored, 'settings' | 'credentials'>) => {
  const [typed, setTyped] = useState<Content>({});
  return {
    typed,
    /** The text of a setting; secrets have none unless they are typed. */
    valueOf: ({ name }: FormField): string => {
      const value = typed[name] ?? settings[name] ?? '';
      return typeof value === 'string' ? value : '';
    },
    isTyped: ({ name }: FormField): boolean => typed[name] !== undefined,
    isStored: ({ name }: FormField): boolean => credentials?.includes(name) === true,
    type: ({ name }: FormField, value: Content[string]) => setTyped((before) => ({ ...before, [name]: value })),
    keep: ({ name }: FormField) =>
      setTyped((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== name))),
    resetFields: () => setTyped({}),
  };
};

type Fields = ReturnType<typeof useFields>;

/**
 * What is typed over what is stored, which may change meanwhile: only what was typed is kept apart, and sent.
 */
export const useForm = (platform: PlatformForm, stored: Stored) => {
  const fields = useFields(stored);
  const [typedLabel, setLabel] = useState<string>();
  const [chosenKind, setKind] = useState<number>();
  const [chosenEvents, setEvents] = useState<readonly EventKind[]>();
  const [chosenNames, setNames] = useState<readonly NamePair[]>();
  const kind = chosenKind ?? kindOf(platform, stored.credentials ?? []);
  const credentials = platform.credentials[kind] ?? [];
  const eventKinds = chosenEvents ?? stored.eventKinds;
  const names = chosenNames ?? pairsOf(stored.eventNames);
  const ofKind = new Set([...platform.settings, ...credentials].map(({ name }) => name));
  const content: Content = Object.fromEntries(Object.entries(fields.typed).filter(([name]) => ofKind.has(name)));

  return {
    ...fields,
    label: typedLabel ?? stored.label,
    setLabel,
    kind,
    chooseKind: setKind,
    credentials,
    eventKinds,
    toggleEvent: (event: EventKind) =>
      setEvents(eventKinds.includes(event) ? eventKinds.filter((one) => one !== event) : [...eventKinds, event]),
    names,
    setNames,
    isChanged:
      Object.keys(content).length > 0 ||
      typedLabel !== undefined ||
      chosenEvents !== undefined ||
      chosenNames !== undefined,
    reset: () => {
      fields.resetFields();
      setLabel(undefined);
      setKind(undefined);
      setEvents(undefined);
      setNames(undefined);
    },
    input: {
      ...(typedLabel !== undefined && { label: typedLabel }),
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

type Form = ReturnType<typeof useForm>;

/** What the server says about a field, in the language of the screen where its words are known; undefined: nothing. */
export const useProblems = (problems: readonly FieldProblem[]): ((field: string) => string | undefined) => {
  const translate = useTranslated(translatedProblem);
  return (field) => {
    const message = problems.find((one) => one.field === field)?.message;
    return message && (translate(message) ?? message);
  };
};

interface EventFieldsProps {
  readonly platform: PlatformForm;
  readonly form: Form;
  readonly problems: readonly FieldProblem[];
}

const nextKey = (names: readonly NamePair[]): number => Math.max(0, ...names.map(({ key }) => key)) + 1;

/** The partner's own names for events, and what the platform calls them. */
const NamePairs = ({ form: { names, setNames }, problems }: Omit<EventFieldsProps, 'platform'>) => {
  const texts = useTexts(connectionTexts);
  const problemOf = useProblems(problems);
  const change = (key: number, changed: Partial<NamePair>) =>
    setNames(names.map((pair) => (pair.key === key ? { ...pair, ...changed } : pair)));
  return (
    <div className={styles.names} role="group" aria-label={texts.names}>
      <p className={styles.label}>{texts.names}</p>
      <p className={styles.small}>{texts.namesHelp}</p>
      {names.map(({ key, name, value }) => {
        const problem = problemOf(`mapEvent.${name}`);
        return (
          <div key={key} className={styles.pair}>
            <input
              aria-label={texts.theirName}
              placeholder="subscription"
              value={name}
              required
              onChange={(event) => change(key, { name: event.target.value })}
            />
            <span aria-hidden="true">→</span>
            <input
              aria-label={texts.platformName(name)}
              placeholder="Subscribe"
              value={value}
              required
              aria-invalid={problem !== undefined}
              onChange={(event) => change(key, { value: event.target.value })}
            />
            <Button
              look="quiet"
              icon="close"
              aria-label={`${texts.removeName} ${name}`}
              onClick={() => setNames(names.filter((pair) => pair.key !== key))}
            />
            {problem !== undefined && <p className="wrong">{problem}</p>}
          </div>
        );
      })}
      <div className={styles.buttons}>
        <Button icon="plus" onClick={() => setNames([...names, { key: nextKey(names), name: '', value: '' }])}>
          {texts.addName}
        </Button>
      </div>
    </div>
  );
};

/** What the platform is told of. */
const EventFields = ({ platform, form, problems }: EventFieldsProps) => {
  const texts = useTexts(connectionTexts);
  const problem = useProblems(problems)('events') ?? (form.eventKinds.length === 0 ? texts.noEvent : undefined);
  const choices: readonly NewConnectionInput['eventKinds'][number][] = platform.eventKinds;
  return (
    <fieldset className={styles.group}>
      <legend>{texts.events}</legend>
      <div className={styles.choices}>
        {choices.map((event) => (
          <label key={event} className={styles.choice}>
            <input type="checkbox" checked={form.eventKinds.includes(event)} onChange={() => form.toggleEvent(event)} />
            <span>{texts.eventNames[event]}</span>
            <small>{texts.eventHelp[event]}</small>
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="wrong">{problem}</p>}
      {platform.eventSettings !== null && <NamePairs form={form} problems={problems} />}
    </fieldset>
  );
};

interface KeyFileProps {
  readonly field: FormField;
  readonly text: FormField['texts']['en'];
  readonly form: Fields;
  readonly problem: string | undefined;
}

const bytesMax = 20_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readKey = async (file: File): Promise<Record<string, unknown> | undefined> => {
  if (file.size > bytesMax) return undefined;
  try {
    const content: unknown = JSON.parse(await file.text());
    return isObject(content) ? content : undefined;
  } catch {
    return undefined;
  }
};

/** A key that the platform gives as a file of JSON. It is read here and sent as it is. */
const KeyFile = ({ field, text, form, problem }: KeyFileProps) => {
  const texts = useTexts(connectionTexts);
  const id = useId();
  const [isBroken, setBroken] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return form.keep(field);
    const key = await readKey(file);
    setBroken(key === undefined);
    if (key) form.type(field, key);
    else form.keep(field);
  };
  const said = isBroken ? texts.notAKey : problem;
  return (
    <div className={styles.file}>
      <label htmlFor={id}>{text.label}</label>
      <input
        id={id}
        type="file"
        accept="application/json,.json"
        aria-invalid={said !== undefined}
        aria-describedby={`${id}help ${id}said`}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <p id={`${id}help`} className={styles.small}>
        {text.help}
      </p>
      <p id={`${id}said`} className="wrong">
        {said}
      </p>
    </div>
  );
};

interface FieldInputProps {
  readonly field: FormField;
  readonly text: FormField['texts']['en'];
  readonly form: Fields;
  readonly problem: string | undefined;
  /** To be entered again: it is rejected. */
  readonly isWanted: boolean;
}

/** A stored secret is never shown: it stays, is replaced, or, if it is optional, removed. */
const StoredSecret = ({ field, text, form }: Pick<FieldInputProps, 'field' | 'text' | 'form'>) => {
  const texts = useTexts(connectionTexts);
  return (
    <div className={styles.secret} role="group" aria-label={text.label}>
      <p className={styles.label}>{text.label}</p>
      <p className={styles.set}>
        <span>
          <span aria-hidden="true">••••••••</span> {texts.isSet}
        </span>
        <Button look="quiet" aria-label={`${texts.replace}: ${text.label}`} onClick={() => form.type(field, '')}>
          {texts.replace}
        </Button>
      </p>
    </div>
  );
};

const Input = ({ field, text, form, problem, isWanted }: FieldInputProps) => {
  const texts = useTexts(connectionTexts);
  const { choices, isRequired, isSecret, standard } = field;
  const label = isRequired ? text.label : `${text.label} (${texts.optional})`;
  const value = form.valueOf(field);
  if (choices.length > 0) {
    // the first one is meant if none is chosen
    const [byDefault = ''] = choices;
    const called: Readonly<Record<string, string>> = texts.choices;
    const none = { value: '', label: texts.byDefault(called[byDefault] ?? byDefault) };
    return (
      <Select
        label={label}
        hint={text.help}
        value={value}
        options={[none, ...choices.map((choice) => ({ value: choice, label: called[choice] ?? choice }))]}
        onChange={(chosen) => form.type(field, chosen)}
      />
    );
  }
  return (
    <Field
      label={label}
      name={field.name}
      hint={text.help}
      problem={problem}
      value={value}
      placeholder={standard ?? undefined}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      spellCheck={false}
      // a stored one stays if it is left alone
      required={isRequired && (!form.isStored(field) || form.isTyped(field))}
      data-wanted={isWanted || undefined}
      onChange={(event) => form.type(field, event.target.value)}
    />
  );
};

/** One setting or credential, as its description says. */
const FieldInput = (props: FieldInputProps) => {
  const texts = useTexts(connectionTexts);
  const { field, text, form, isWanted } = props;
  const isStored = form.isStored(field);
  if (isStored && !form.isTyped(field) && !isWanted) return <StoredSecret field={field} text={text} form={form} />;
  return (
    <div className={styles.input}>
      {field.isFile ? <KeyFile {...props} /> : <Input {...props} />}
      {isStored && form.isTyped(field) && (
        <div className={styles.buttons}>
          <Button aria-label={`${texts.keep}: ${text.label}`} onClick={() => form.keep(field)}>
            {texts.keep}
          </Button>
          {!field.isRequired && form.valueOf(field) === '' && <span className={styles.small}>{texts.removes}</span>}
        </div>
      )}
    </div>
  );
};

interface FieldInputsProps {
  readonly fields: readonly FormField[];
  readonly form: Fields;
  readonly problems: readonly FieldProblem[];
  /** Names of fields to enter again. */
  readonly wanted: readonly string[];
}

/** Settings and credentials, one after the other. */
export const FieldInputs = ({ fields, form, problems, wanted }: FieldInputsProps) => {
  const { language } = useLanguage();
  const problemOf = useProblems(problems);
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      text={field.texts[language]}
      form={form}
      problem={problemOf(field.name)}
      isWanted={wanted.includes(field.name)}
    />
  ));
};

interface ConnectionFormProps {
  readonly platform: PlatformForm;
  readonly form: Form;
  readonly problems: readonly FieldProblem[];
  /** Names of fields to enter again. */
  readonly wanted?: readonly string[];
}

/** The settings, credentials and events of a connection, as its platform describes them. */
export const ConnectionForm = ({ platform, form, problems, wanted = [] }: ConnectionFormProps) => {
  const texts = useTexts(connectionTexts);
  const { language } = useLanguage();
  const problemOf = useProblems(problems);
  const list = new Intl.ListFormat(document.documentElement.lang);
  const shared = { form, problems, wanted };
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{texts.settings}</legend>
        <div className={styles.fields}>
          <div className={styles.input}>
            <Field
              label={`${texts.label} (${texts.optional})`}
              name="label"
              hint={texts.labelHelp}
              problem={problemOf('label')}
              value={form.label}
              autoComplete="off"
              onChange={(event) => form.setLabel(event.target.value)}
            />
          </div>
          <FieldInputs fields={platform.settings} {...shared} />
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{texts.credentials}</legend>
        <p className={styles.small}>{texts.credentialsHelp}</p>
        {platform.credentials.length > 1 && (
          <div className={styles.choices} role="radiogroup" aria-label={texts.kind}>
            {platform.credentials.map((fields, kind) => (
              <label key={fields.map(({ name }) => name).join(' ')} className={styles.choice}>
                <input type="radio" checked={form.kind === kind} onChange={() => form.chooseKind(kind)} />
                <span>{list.format(fields.map((field) => field.texts[language].label))}</span>
              </label>
            ))}
          </div>
        )}
        <div className={styles.fields}>
          <FieldInputs fields={form.credentials} {...shared} />
        </div>
      </fieldset>
      <EventFields platform={platform} form={form} problems={problems} />
    </>
  );
};
