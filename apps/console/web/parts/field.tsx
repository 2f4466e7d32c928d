import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './parts.module.css';

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
        <p id={`${id}hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}problem`} className={styles.problem}>
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
        <p id={`${id}hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
};
