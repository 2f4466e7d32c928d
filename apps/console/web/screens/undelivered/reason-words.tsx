import { Link } from '@tanstack/react-router';
import type { UndeliveredGroup } from '../../../src/contract/undelivered.ts';
import { Badge } from '../../parts/badge.tsx';
import { Platform, platformTitles } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { undeliveredTexts } from './texts.ts';

const tones = { failed: 'bad', skipped: 'warn', delivered: 'warn' } as const;

/** The group in one line: `Meta · Failed · event_too_old`. */
export const useGroupName = (): ((group: UndeliveredGroup) => string) => {
  const texts = useTexts(undeliveredTexts);
  return ({ platform, state, code }) =>
    [platformTitles[platform], texts.states[state], code === 'other' ? texts.otherReason : code]
      .filter((word) => word !== '')
      .join(' · ');
};

/** Why the deliveries of a group were lost, and what helps. */
export const ReasonWords = ({ group }: { readonly group: UndeliveredGroup }) => {
  const texts = useTexts(undeliveredTexts);
  const account = useAccountId();
  const { platform, connectionId, connectionState, state, code, example, meaning, remedy } = group;
  return (
    <div className={styles.reason}>
      <p className={styles.badges}>
        <Platform name={platform} />
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        {connectionState !== 'active' && <Badge tone="accent">{texts.connectionStates[connectionState]}</Badge>}
        <span className={styles.connection}>{texts.connection(connectionId)}</span>
      </p>
      {code !== '' && <p className={styles.code}>{code === 'other' ? texts.otherReason : <code>{code}</code>}</p>}
      {meaning !== null && <p lang="en">{meaning}</p>}
      {remedy !== null && (
        <p lang="en" className={styles.remedy}>
          {remedy}
        </p>
      )}
      {example !== null && example !== code && (
        <details className={styles.example}>
          <summary>{texts.platformWords}</summary>
          <q lang="en">{example}</q>
        </details>
      )}
      {state !== 'delivered' && (
        <Link
          to="/a/$account/deliveries"
          params={{ account }}
          search={{ platform, connection: connectionId, state, code: code === 'other' ? undefined : code }}
          className={styles.link}
          data-open
        >
          {texts.showDeliveries}
        </Link>
      )}
    </div>
  );
};
