import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReconciliationItem, Replay } from '../../../src/contract/reconciliations.ts';
import { useApi } from '../../api.ts';
import { Notices } from '../../files/parts.tsx';
import { filesTexts } from '../../files/texts.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Skeleton } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { titleOf } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { reconciliationQuery, startReplay } from './parts.tsx';
import styles from './style.module.css';
import { reconciliationTexts } from './texts.ts';

/** `31 · USD 1,204`: what a replay registers. */
const useReplayWords = (): ((replay: Replay) => string) => {
  const format = useFormat();
  return ({ counts, money }) =>
    [format.count(counts.created), ...money.map(({ amount, currency }) => format.money(amount, currency))].join(' · ');
};

/** What a person should know about the rows that are registered. */
const useReplayNotices = (): ((replay: Replay) => readonly string[]) => {
  const texts = useTexts(reconciliationTexts);
  const fileTexts = useTexts(filesTexts);
  const format = useFormat();
  return ({ tooOld, withoutTime }) => [
    ...tooOld.map(({ platform, rows }) => fileTexts.tooOld(format.count(rows), titleOf(platform))),
    ...(withoutTime > 0 ? [texts.withoutTime(format.count(withoutTime))] : []),
  ];
};

// those without a client are tried as well: it may have been registered since
const outcomes = ['missing', 'missingWithoutClient'] as const;

const Preview = ({ replay }: { readonly replay: Replay }) => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  const notices = useReplayNotices();
  const { counts, state } = replay;
  const left = counts.refused + counts.differs;
  return (
    <>
      <p>{counts.created > 0 ? texts.wouldRegister(format.count(counts.created)) : texts.nothingToRegister}</p>
      {counts.repeated > 0 && <p>{texts.registeredSince(format.count(counts.repeated))}</p>}
      {left > 0 && <p>{texts.notRegistered(format.count(left))}</p>}
      <Notices texts={state === 'failed' ? [texts.failed] : notices(replay)} />
    </>
  );
};

interface ReplayDialogProps {
  readonly item: ReconciliationItem;
  readonly onClose: () => void;
}

/** Tries first what would be registered; the button says it. */
export const ReplayDialog = ({ item: { id, replay }, onClose }: ReplayDialogProps) => {
  const texts = useTexts(reconciliationTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const words = useReplayWords();
  const { queryKey } = reconciliationQuery(api, account, String(id));
  const start = (isDryRun: boolean) => startReplay(api, account, id, { outcomes: [...outcomes], isDryRun });
  const reread = () => client.invalidateQueries({ queryKey });
  const dryRun = useMutation({ mutationFn: () => start(true), onSuccess: reread });
  const real = useMutation({
    mutationFn: () => start(false),
    onSuccess: async () => {
      showToast(texts.started);
      onClose();
      await reread();
    },
  });
  const { mutate: tryOut } = dryRun;
  useEffect(() => tryOut(), [tryOut]);
  const tried = dryRun.isSuccess && replay?.isDryRun === true && replay.state !== 'running' ? replay : undefined;
  return (
    <FormDialog
      title={texts.dialogTitle}
      action={tried ? texts.confirm(words(tried)) : texts.trying}
      isBusy={real.isPending}
      isReady={tried !== undefined && tried.counts.created > 0}
      onSubmit={() => real.mutate()}
      onClose={onClose}
    >
      <div className={styles.body}>
        {tried && <Preview replay={tried} />}
        {!tried && !dryRun.error && <Skeleton lines={3} />}
        {dryRun.error && <Failure error={dryRun.error} onRetry={() => tryOut()} />}
        {real.error && <Failure error={real.error} />}
      </div>
    </FormDialog>
  );
};

/** What the last registration of missing rows has done so far. */
export const ReplayState = ({ replay }: { readonly replay: Replay }) => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  const words = useReplayWords();
  const notices = useReplayNotices();
  const { state, counts } = replay;
  const left = counts.refused + counts.differs;
  return (
    <div className="card-body" role="status">
      <p>
        <strong>{texts.replays[state](words(replay))}</strong> {state === 'done' && texts.compareAgain}
      </p>
      {state === 'running' && <progress aria-label={texts.replay} />}
      <Notices texts={[...(left > 0 ? [texts.notRegistered(format.count(left))] : []), ...notices(replay)]} />
    </div>
  );
};
