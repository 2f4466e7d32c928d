import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './parts.module.css';

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
        <div id={`${id}hint`} className={styles.hint}>
          {hint}
        </div>
      )}
      {problem !== undefined && (
        <p id={`${id}problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
};
