import { Icon } from '../parts/icon.tsx';
import styles from './style.module.css';

/** What a person should know before going on. */
export const Notices = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length > 0 && (
    <ul className={styles.notices}>
      {texts.map((text) => (
        <li key={text} className={styles.notice}>
          <Icon name="undelivered" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
