import type { FormField } from '../../../src/contract/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { KeyFile } from './key-file.tsx';
import { connectionTexts } from './texts.ts';
import type { FieldText } from './field-texts/field-text.ts';
import type { Form } from './use-form.ts';

interface FieldInputProps {
  readonly field: FormField;
  readonly text: FieldText;
  readonly form: Form;
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
    const none = { value: '', label: texts.none };
    return (
      <Select
        label={label}
        hint={text.help}
        value={value}
        options={[none, ...choices.map((choice) => ({ value: choice, label: choice }))]}
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
export const FieldInput = (props: FieldInputProps) => {
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
