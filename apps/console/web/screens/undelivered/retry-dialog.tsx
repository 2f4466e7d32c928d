import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CountRetryReply, RetryFilter } from '../../../src/contract/undelivered.ts';
import { useApi } from '../../api.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { retryCountQuery, startRetry, tasksQuery } from './queries.ts';
import styles from './style.module.css';
import { undeliveredTexts } from './texts.ts';

interface RetryDialogProps {
  /** What is retried, in words. */
  readonly scope: string;
  readonly filter: RetryFilter;
  readonly onClose: () => void;
}

const heldIn = ({ held }: CountRetryReply): number => held.reduce((sum, { deliveries }) => sum + deliveries, 0);

const Preview = ({ count }: { readonly count: CountRetryReply }) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const held = heldIn(count);
  const counted = (some: number) => (count.isPartial ? texts.orMore(format.count(some)) : format.count(some));
  if (count.deliveries === 0 && !count.isPartial) return <p>{held > 0 ? texts.nothingHeld : texts.nothing}</p>;
  return (
    <>
      <p>{texts.dialogText(counted(count.deliveries), counted(count.conversions))}</p>
      {held > 0 && <p className={styles.held}>{texts.held(format.count(held))}</p>}
    </>
  );
};

/** Counts first what would be sent; the button says it. */
export const RetryDialog = ({ scope, filter, onClose }: RetryDialogProps) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const query = useQuery(retryCountQuery(api, account, filter));
  const retry = useMutation({
    mutationFn: () => startRetry(api, account, filter),
    onSuccess: () => {
      showToast(texts.started);
      onClose();
      return client.invalidateQueries({ queryKey: tasksQuery(api, account).queryKey });
    },
  });
  const { deliveries = 0, money = [], isPartial = false } = query.data ?? {};
  const written = money.map(({ currency, amount }) => format.money(amount, currency)).join(' · ');
  return (
    <FormDialog
      title={texts.dialogTitle}
      action={texts.confirm(isPartial ? texts.orMore(format.count(deliveries)) : format.count(deliveries), written)}
      isBusy={retry.isPending}
      isReady={deliveries > 0 || isPartial}
      onSubmit={() => retry.mutate()}
      onClose={onClose}
    >
      <div className={styles.body}>
        <p className={styles.scope}>{scope}</p>
        <Loaded query={query} lines={2}>
          {(count) => <Preview count={count} />}
        </Loaded>
        {retry.error && <Failure error={retry.error} />}
      </div>
    </FormDialog>
  );
};
