import { type ComponentProps, type ReactNode, useId } from 'react';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { classNames, Icon } from './button.tsx';
import styles from './parts.module.css';

/** The text of a field; empty without one. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

interface FieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, and how to correct it. */
  readonly problem?: string | undefined;
}

export const Field = ({ label, hint, problem, ...others }: FieldProps) => {
  const id = useId();
  const described = [hint === undefined ? [] : `${id}hint`, problem === undefined ? [] : `${id}problem`].flat();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...others}
        id={id}
        className={styles.input}
        aria-invalid={problem !== undefined}
        aria-describedby={described.join(' ') || undefined}
      />
      {hint !== undefined && (
        <p id={`${id}hint`} className="small">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}problem`} className="wrong">
          {problem}
        </p>
      )}
    </div>
  );
};

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export const Select = <Value extends string>({ label, hint, value, options, onChange }: SelectProps<Value>) => {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}hint`}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}hint`} className="small">
          {hint}
        </p>
      )}
    </div>
  );
};

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, and how to correct it. */
  readonly problem?: string | undefined;
}

/** A text of several lines; it grows with its text where browsers can. */
export const TextArea = ({ label, hint, problem, ...others }: TextAreaProps) => {
  const id = useId();
  const described = [hint === undefined ? [] : `${id}hint`, problem === undefined ? [] : `${id}problem`].flat();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...others}
        id={id}
        className={classNames(styles.input, styles.area)}
        aria-invalid={problem !== undefined}
        aria-describedby={described.join(' ') || undefined}
      />
      {hint !== undefined && (
        <div id={`${id}hint`} className="small">
          {hint}
        </div>
      )}
      {problem !== undefined && (
        <p id={`${id}problem`} className="wrong">
          {problem}
        </p>
      )}
    </div>
  );
};

interface FindFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onFind: (text: string | undefined) => void;
}

/** Narrows a list with each letter. `/` focuses it. */
export const FindField = ({ label, value, onFind }: FindFieldProps) => (
  <div className={styles.find}>
    <Field
      label={label}
      type="search"
      defaultValue={value}
      onChange={(event) => onFind(event.target.value.trim() || undefined)}
      autoComplete="off"
      spellCheck={false}
      data-find
    />
  </div>
);

interface SwitchProps {
  readonly isOn: boolean;
  /** What is on, for people who do not see where the switch is. */
  readonly name: string;
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** Beside it. */
  readonly children?: ReactNode;
}

export const Switch = ({ isOn, name, isBusy = false, disabled = false, onChange, children }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    className={styles.switch}
    aria-checked={isOn}
    aria-label={name}
    aria-busy={isBusy}
    disabled={disabled}
    onClick={() => {
      if (!isBusy) onChange(!isOn);
    }}
  >
    <span className={styles.track} />
    {children}
  </button>
);

export interface Chip {
  readonly key: string;
  readonly text: string;
  readonly onRemove: () => void;
}

/** The filters in force; each can be removed. */
export const Chips = ({ chips }: { readonly chips: readonly Chip[] }) => {
  const texts = useTexts(commonTexts);
  return (
    <>
      {chips.map(({ key, text, onRemove }) => (
        <button key={key} type="button" className={styles.chip} aria-label={texts.remove(text)} onClick={onRemove}>
          {text}
          <Icon name="close" />
        </button>
      ))}
    </>
  );
};
