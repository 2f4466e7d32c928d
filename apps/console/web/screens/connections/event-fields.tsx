import type { NewConnectionInput, PlatformForm } from '../../../src/contract/connections.ts';
import type { FieldProblem } from '../../api/api-error.ts';
import { Button } from '../../parts/button.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';
import { type Form, type NamePair, problemOf } from './use-form.ts';

interface EventFieldsProps {
  readonly platform: PlatformForm;
  readonly form: Form;
  readonly problems: readonly FieldProblem[];
}

const nextKey = (names: readonly NamePair[]): number => Math.max(0, ...names.map(({ key }) => key)) + 1;

/** The partner's own names for events, and what the platform calls them. */
const NamePairs = ({ form: { names, setNames }, problems }: Omit<EventFieldsProps, 'platform'>) => {
  const texts = useTexts(connectionTexts);
  const change = (key: number, changed: Partial<NamePair>) =>
    setNames(names.map((pair) => (pair.key === key ? { ...pair, ...changed } : pair)));
  return (
    <div className={styles.names} role="group" aria-label={texts.names}>
      <p className={styles.label}>{texts.names}</p>
      <p className={styles.small}>{texts.namesHelp}</p>
      {names.map(({ key, name, value }) => {
        const problem = problemOf(problems, `mapEvent.${name}`);
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
            {problem !== undefined && <p className={styles.problem}>{problem}</p>}
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
export const EventFields = ({ platform, form, problems }: EventFieldsProps) => {
  const texts = useTexts(connectionTexts);
  const problem = problemOf(problems, 'events') ?? (form.eventKinds.length === 0 ? texts.noEvent : undefined);
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
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      {platform.eventSettings !== null && <NamePairs form={form} problems={problems} />}
    </fieldset>
  );
};
