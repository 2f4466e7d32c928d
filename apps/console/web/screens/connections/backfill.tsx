import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { BackfillReply, Connection } from '../../../src/contract/connections.ts';
import { type Api, useApi } from '../../api.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { calledAs, titleOf } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { backfillConnection, useConnectionsChanged } from './parts.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

type Sums = BackfillReply['sums'];

interface Backfill {
  readonly account: string;
  readonly id: string;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
  readonly onPart?: (sums: Sums) => void;
}

/** Part after part, until the last one or until the dialog is closed: what is queued stays queued, and again goes on there. */
const backfillAll = async (api: Api, { account, id, isDryRun, signal, onPart }: Backfill): Promise<Sums> => {
  let part: BackfillReply | undefined;
  do {
    signal.throwIfAborted();
    part = await backfillConnection(api, account, id, {
      isDryRun,
      ...(part?.next && { sums: part.sums, after: part.next }),
    });
    onPart?.(part.sums);
  } while (part.next !== null);
  return part.sums;
};

const Counted = ({ sums }: { readonly sums: Sums }) => {
  const texts = useTexts(connectionTexts).backfill;
  const format = useFormat();
  const money = Object.entries(sums.amounts).map(([currency, amount]) => format.money(amount, currency));
  return (
    <>
      <p>
        <strong>{texts.queued(format.count(sums.queued))}</strong>
        {money.length > 0 && <> · {money.join(' · ')}</>}
      </p>
      {sums.already > 0 && <p className="soft">{texts.already(format.count(sums.already))}</p>}
      {sums.tooOld > 0 && <p className={styles.warning}>{texts.tooOld(format.count(sums.tooOld))}</p>}
      {sums.retracted > 0 && <p className="soft">{texts.retracted(format.count(sums.retracted))}</p>}
    </>
  );
};

interface BackfillDialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Counts the sales that the connection was not told of, and then reports them. */
export const BackfillDialog = ({ connection, onClose }: BackfillDialogProps) => {
  const texts = useTexts(connectionTexts).backfill;
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const connectionsChanged = useConnectionsChanged();
  const id = String(connection.id);
  const closing = useRef(new AbortController());
  useEffect(() => () => closing.current.abort(), []);
  const [done, setDone] = useState<Sums>();
  const counted = useQuery({
    queryKey: ['backfill', account, id],
    queryFn: ({ signal }) => backfillAll(api, { account, id, isDryRun: true, signal }),
    gcTime: 0,
  });
  const report = useMutation({
    mutationFn: () =>
      backfillAll(api, { account, id, isDryRun: false, signal: closing.current.signal, onPart: setDone }),
    onSuccess: ({ queued }) => {
      showToast(texts.reported(format.count(queued)));
      onClose();
    },
    onSettled: connectionsChanged,
  });
  const sums = counted.data;
  return (
    <FormDialog
      title={texts.title(`${titleOf(connection.platform)} · ${calledAs(connection)}`)}
      action={texts.report}
      isBusy={report.isPending}
      isReady={sums !== undefined && sums.queued > 0}
      focus="cancel"
      onSubmit={() => report.mutate()}
      onClose={onClose}
    >
      <div className={styles.said} aria-live="polite">
        <p>{texts.text}</p>
        {counted.isPending && <progress aria-label={texts.counting} />}
        {sums && <Counted sums={sums} />}
        {sums && report.isPending && (
          <>
            <progress value={done?.conversions ?? 0} max={Math.max(sums.conversions, 1)} aria-label={texts.report} />
            <p className="soft">{texts.goesOn}</p>
          </>
        )}
        {counted.error && <Failure error={counted.error} />}
        {report.error && <Failure error={report.error} />}
      </div>
    </FormDialog>
  );
};
