import styles from './style.module.css';

export const Brand = () => (
  <span className={styles.wordmark}>
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M22 9v6a5 5 0 0 1-5 5h-6m4-5-5 5 5 5" />
    </svg>
    Leadback
  </span>
);
