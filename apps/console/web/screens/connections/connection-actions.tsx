import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../src/contract/connections.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { CheckResult } from './check-result.tsx';
import styles from './style.module.css';
import { PauseDialog } from './pause-dialog.tsx';
import { checkConnection, connectionsQuery, switchConnection } from './queries.ts';
import { connectionTexts } from './texts.ts';

/** Send a test event, pause, resume. */
export const ConnectionActions = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const may = useMay('manage-connections');
  const [isPausing, setPausing] = useState(false);
  const { platform, state, waiting } = connection;
  const id = String(connection.id);
  const check = useMutation({ mutationFn: () => checkConnection(api, account, id) });
  const turn = useMutation({
    mutationFn: (verb: 'pause' | 'resume') => switchConnection(api, account, id, verb),
    onSuccess: ({ deliveries }, verb) => {
      setPausing(false);
      showToast(verb === 'pause' ? texts.paused(format.count(deliveries)) : texts.resumed(format.count(deliveries)));
      return client.invalidateQueries({ queryKey: connectionsQuery(api, account).queryKey });
    },
  });
  if (!may) return <p className={styles.small}>{texts.mayNotChange}</p>;
  return (
    <>
      <div className={styles.buttons}>
        {state !== 'active' && (
          <Button
            look={state === 'paused' ? 'primary' : 'plain'}
            icon="play"
            isBusy={turn.isPending}
            onClick={() => turn.mutate('resume')}
          >
            {waiting === 0 ? texts.resume : texts.resumeAndSend(format.count(waiting))}
          </Button>
        )}
        <Button icon="deliveries" isBusy={check.isPending} onClick={() => check.mutate()}>
          {texts.sendTest}
        </Button>
        {state !== 'paused' && (
          <Button icon="pause" onClick={() => setPausing(true)}>
            {texts.pause}
          </Button>
        )}
      </div>
      {check.error && <Failure error={check.error} />}
      {check.data && <CheckResult platform={platform} result={check.data} />}
      {turn.error && !isPausing && <Failure error={turn.error} />}
      {isPausing && (
        <PauseDialog
          waiting={waiting}
          error={turn.error}
          isBusy={turn.isPending}
          onPause={() => turn.mutate('pause')}
          onClose={() => {
            turn.reset();
            setPausing(false);
          }}
        />
      )}
    </>
  );
};
