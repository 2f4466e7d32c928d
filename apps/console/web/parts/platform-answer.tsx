import styles from './parts.module.css';

/** Indented, if it is JSON. */
const readable = (answer: string): string => {
  try {
    return JSON.stringify(JSON.parse(answer), undefined, 2);
  } catch {
    return answer;
  }
};

interface PlatformAnswerProps {
  readonly title: string;
  readonly answer: string;
  readonly isOpen?: boolean;
}

/** What a platform responded, word for word. */
export const PlatformAnswer = ({ title, answer, isOpen = false }: PlatformAnswerProps) => (
  <details className={styles.details} open={isOpen}>
    <summary>{title}</summary>
    {/* keyboards scroll what they can focus */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre className={styles.answer} tabIndex={0}>
      {readable(answer)}
    </pre>
  </details>
);
