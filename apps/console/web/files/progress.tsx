import styles from './style.module.css';

interface ProgressProps {
  readonly text: string;
  readonly note?: string | undefined;
  readonly done: number;
  readonly total: number;
}

/** Work that goes on at the server; the page may be left. */
export const Progress = ({ text, note, done, total }: ProgressProps) => (
  <div className={styles.progress} role="status">
    <strong>{text}</strong>
    <progress value={done} max={Math.max(total, 1)} aria-label={text} />
    {note !== undefined && <p className={styles.note}>{note}</p>}
  </div>
);
