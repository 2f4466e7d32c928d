import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../../src/contract/connections.ts';
import { useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { platformTitles } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

/** Why a platform rejects a connection, and the button that begins to fix it. */
export const Rejected = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const account = useAccountId();
  const mayFix = useMay('manage-connections');
  const { id, platform, stateReason, remedy, waiting } = connection;
  const fix = remedy?.change.join(',');
  return (
    <section className={styles.rejection} aria-label={texts.rejected(platformTitles[platform], id)}>
      <h2>{texts.rejected(platformTitles[platform], id)}</h2>
      {stateReason !== null && <q lang="en">{stateReason}</q>}
      {remedy !== null && <p lang="en">{remedy.words}</p>}
      <p>{texts.heldBack(format.count(waiting))}</p>
      {mayFix ? (
        <div>
          <Button
            look="primary"
            onClick={() =>
              void navigate({
                to: '/a/$account/connections/$connection',
                params: { account, connection: String(id) },
                search: fix === undefined || fix === '' ? {} : { fix },
              })
            }
          >
            {texts.fix}
          </Button>
        </div>
      ) : (
        <p>{texts.mayNotFix}</p>
      )}
    </section>
  );
};
