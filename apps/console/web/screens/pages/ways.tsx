import { Link } from '@tanstack/react-router';
import { Card } from '../../parts/layout.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

/** Where the screen shows how to set a way up, as a part of its URL. */
export const ways = ['new', 'script', 'server', 'domains'] as const;
export type Way = (typeof ways)[number];

/** The ways in which clicks can arrive, when to use which, and the next step of each. */
export const Ways = () => {
  const texts = useTexts(pagesTexts).ways;
  const account = useAccountId();
  return (
    <Card title={texts.title}>
      <p className={styles.waysIntro}>{texts.intro}</p>
      <ul className={styles.ways}>
        {ways.map((way) => {
          const { title, text, action } = texts.each[way];
          return (
            <li key={way}>
              <h3>{title}</h3>
              <p>{text}</p>
              <Link to="/a/$account/pages" params={{ account }} hash={way} resetScroll={way !== 'new'}>
                {action}
              </Link>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};
