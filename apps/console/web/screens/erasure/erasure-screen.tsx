import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonToErase, Receipt } from '../../../src/contract/erasures.ts';
import { useApi } from '../../api/use-api.ts';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { Asked } from './asked.tsx';
import { CountedPerson } from './counted-person.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import styles from './style.module.css';
import { PersonForm } from './person-form.tsx';
import { countErasure, erasuresQuery } from './queries.ts';
import { Receipts } from './receipts.tsx';
import { Started } from './started.tsx';
import { erasureTexts } from './texts.ts';
import { useDoneToast } from './use-done-toast.ts';

const noReceipts: readonly Receipt[] = [];

/** Counts first what an erasure would erase; the person is in memory alone, never in the URL. */
export const ErasureScreen = () => {
  const texts = useTexts(erasureTexts);
  const api = useApi();
  const account = useAccountId();
  const query = useQuery(erasuresQuery(api, account));
  const [isAsking, setAsking] = useState(false);
  const counting = useMutation({ mutationFn: (person: PersonToErase) => countErasure(api, account, person) });
  const { data: counted, variables: person } = counting;
  const toastWhenDone = useDoneToast(query.data?.receipts ?? noReceipts);
  const onStarted = (id: string) => {
    counting.reset();
    toastWhenDone(id);
  };
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Card title={texts.formTitle}>
        <div className={styles.body}>
          <PersonForm isBusy={counting.isPending} onCount={counting.mutate} onChange={counting.reset} />
          {counting.error && <Failure error={counting.error} />}
        </div>
        {counted && <CountedPerson counted={counted} onErase={() => setAsking(true)} />}
      </Card>
      <Loaded query={query} lines={4}>
        {({ started, asked, receipts }) => (
          <>
            <Asked asked={asked} onStarted={toastWhenDone} />
            <Started started={started} />
            <Receipts receipts={receipts} />
          </>
        )}
      </Loaded>
      {isAsking && person && <EraseDialog person={person} onClose={() => setAsking(false)} onStarted={onStarted} />}
    </>
  );
};
