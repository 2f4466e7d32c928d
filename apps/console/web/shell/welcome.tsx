import type { ReactNode } from 'react';
import { languageNames, useLanguage } from '../text/language.tsx';
import styles from './late.module.css';
import { languageList } from './menus.tsx';
import { Brand } from './notice.tsx';

interface WelcomeProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages before somebody is signed in. */
export const Welcome = ({ title, intro, children }: WelcomeProps) => {
  const { language, choose } = useLanguage();
  return (
    <div className={styles.welcome}>
      <header>
        <Brand />
      </header>
      <main className={styles.card}>
        <title>{`${title} · Leadback`}</title>
        <h1>{title}</h1>
        {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        {children}
      </main>
      <footer className={styles.languages}>
        {languageList.map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => choose(one)}>
            {languageNames[one]}
          </button>
        ))}
      </footer>
    </div>
  );
};
