import { Link } from '@tanstack/react-router';
import { useFrameAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { auditTexts } from './texts.ts';

/** Chooses between the entries of the account and of all; the filters stay. */
export const AuditScope = () => {
  const texts = useTexts(auditTexts);
  const account = useFrameAccountId();
  return (
    <div className={styles.scope} role="group" aria-label={texts.scope}>
      {account !== undefined && (
        <Link
          to="/a/$account/audit"
          params={{ account }}
          search={(search) => search}
          activeOptions={{ includeSearch: false }}
        >
          {texts.ofAccount}
        </Link>
      )}
      <Link to="/audit" search={(search) => search} activeOptions={{ includeSearch: false }}>
        {texts.ofAll}
      </Link>
    </div>
  );
};
