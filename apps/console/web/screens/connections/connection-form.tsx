import type { FormField, PlatformForm } from '../../../src/contract/connections.ts';
import type { FieldProblem } from '../../api/api-error.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { EventFields } from './event-fields.tsx';
import { FieldInput } from './field-input.tsx';
import { connectionTexts } from './texts.ts';
import { useFieldText } from './use-field-text.ts';
import { type Form, problemOf } from './use-form.ts';

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
  const textOf = useFieldText(platform.name);
  const list = new Intl.ListFormat(document.documentElement.lang);
  const inputs = (fields: readonly FormField[]) =>
    fields.map((field) => (
      <FieldInput
        key={field.name}
        field={field}
        text={textOf(field)}
        form={form}
        problem={problemOf(problems, field.name)}
        isWanted={wanted.includes(field.name)}
      />
    ));
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{texts.settings}</legend>
        <div className={styles.fields}>{inputs(platform.settings)}</div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{texts.credentials}</legend>
        <p className={styles.small}>{texts.credentialsHelp}</p>
        {platform.credentials.length > 1 && (
          <div className={styles.choices} role="radiogroup" aria-label={texts.kind}>
            {platform.credentials.map((fields, kind) => (
              <label key={fields.map(({ name }) => name).join(' ')} className={styles.choice}>
                <input type="radio" checked={form.kind === kind} onChange={() => form.chooseKind(kind)} />
                <span>{list.format(fields.map((field) => textOf(field).label))}</span>
              </label>
            ))}
          </div>
        )}
        <div className={styles.fields}>{inputs(form.credentials)}</div>
      </fieldset>
      <EventFields platform={platform} form={form} problems={problems} />
    </>
  );
};
