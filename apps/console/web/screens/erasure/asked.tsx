import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AskedErasure } from '../../../src/contract/erasures.ts';
import { useApi } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { showToast } from '../../parts/toast.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { confirmErasure, erasuresQuery } from './queries.ts';
import { erasureTexts } from './texts.ts';

interface ConfirmDialogProps {
  readonly asked: AskedErasure;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

const ConfirmDialog = ({ asked: { id, leadReference }, onClose, onStarted }: ConfirmDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(erasureTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const confirming = useMutation({
    mutationFn: () => confirmErasure(api, account, id),
    onSuccess: () => {
      showToast(texts.startedToast);
      onStarted(id);
      onClose();
      return client.invalidateQueries({ queryKey: erasuresQuery(api, account).queryKey });
    },
  });
  return (
    <Dialog
      title={texts.dialogTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={confirming.isPending} onClick={() => confirming.mutate()}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <p>{texts.askedDialogText}</p>
        <p>
          <strong className={styles.name}>{leadReference}</strong>
        </p>
        {confirming.error && <Failure error={confirming.error} />}
      </div>
    </Dialog>
  );
};

interface AskedProps {
  readonly asked: readonly AskedErasure[];
  readonly onStarted: (id: string) => void;
}

/** Erasures that visitors asked for, and on which the account decides. */
export const Asked = ({ asked, onStarted }: AskedProps) => {
  const texts = useTexts(erasureTexts);
  const [chosen, setChosen] = useState<AskedErasure>();
  if (asked.length === 0) return null;
  return (
    <Card title={texts.askedTitle}>
      <div className={styles.body}>
        <p>{texts.askedIntro}</p>
      </div>
      <ul className={styles.started}>
        {asked.map((one) => (
          <li key={one.id}>
            <p className={styles.line}>
              <Badge tone="warn">{texts.askedBadge}</Badge>
              <strong>{one.leadReference}</strong>
              <span className={styles.soft}>
                <Time at={one.requestedAt} look="ago" /> {texts.lapses} <Time at={one.until} />
              </span>
            </p>
            <p className={styles.soft}>{texts.ways[one.way]}</p>
            <Button aria-label={`${texts.erase} ${one.leadReference}`} onClick={() => setChosen(one)}>
              {texts.erase}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <ConfirmDialog asked={chosen} onClose={() => setChosen(undefined)} onStarted={onStarted} />}
    </Card>
  );
};
