import { Field } from './field.tsx';
import styles from './parts.module.css';

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
