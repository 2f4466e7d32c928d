import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { AskedErasure, PersonToErase, Receipt, StartedErasure } from '../../../src/contract/erasures.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/copy.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Empty, Failure, showToast } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import {
  allowPerson,
  CountedPerson,
  confirmErasure,
  countErasure,
  EraseDialog,
  erasuresQuery,
  PersonForm,
} from './parts.tsx';
import styles from './style.module.css';
import { erasureTexts } from './texts.ts';

interface ConfirmDialogProps {
  readonly asked: AskedErasure;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

const ConfirmDialog = ({ asked: { id, leadReference }, onClose, onStarted }: ConfirmDialogProps) => {
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
    <FormDialog
      title={texts.dialogTitle}
      action={texts.confirm}
      isBusy={confirming.isPending}
      error={confirming.error}
      onSubmit={() => confirming.mutate()}
      onClose={onClose}
    >
      <p>{texts.askedDialogText}</p>
      <p>
        <strong className={styles.name}>{leadReference}</strong>
      </p>
    </FormDialog>
  );
};

interface AskedProps {
  readonly asked: readonly AskedErasure[];
  readonly onStarted: (id: string) => void;
}

/** Erasures that visitors asked for, and on which the account decides. */
const Asked = ({ asked, onStarted }: AskedProps) => {
  const texts = useTexts(erasureTexts);
  const [chosen, setChosen] = useState<AskedErasure>();
  if (asked.length === 0) return null;
  return (
    <Card title={texts.askedTitle}>
      <div className="card-body">
        <p>{texts.askedIntro}</p>
      </div>
      <ul className={styles.started}>
        {asked.map((one) => (
          <li key={one.id}>
            <p className="line">
              <Badge tone="warn">{texts.askedBadge}</Badge>
              <strong>{one.leadReference}</strong>
              <span className="small">
                <Time at={one.requestedAt} look="ago" /> {texts.lapses} <Time at={one.until} />
              </span>
            </p>
            <p className="small">{texts.ways[one.way]}</p>
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

/** Signed, with everything that verifies them: the same file as on the page of the receipt. */
const save = ({ id, signed }: Receipt) =>
  download(`receipt-${id}.json`, `${JSON.stringify(signed, null, 2)}\n`, 'application/json');

/** What is kept of erasures: never who was erased. */
const Receipts = ({ receipts }: { readonly receipts: readonly Receipt[] }) => {
  const texts = useTexts(erasureTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const allowing = useMutation({
    mutationFn: (id: string) => allowPerson(api, account, id),
    onSuccess: () => {
      showToast(texts.allowed);
      return client.invalidateQueries({ queryKey: erasuresQuery(api, account).queryKey });
    },
  });
  const columns: readonly Column<Receipt>[] = [
    {
      key: 'receipt',
      title: texts.columns.receipt,
      isTitle: true,
      cell: ({ id, url }) => (
        <a className={styles.receipt} href={url} target="_blank" rel="noreferrer">
          {texts.receipt(id)}
        </a>
      ),
    },
    { key: 'at', title: texts.columns.at, cell: ({ at }) => <Time at={at} /> },
    { key: 'actor', title: texts.columns.actor, cell: ({ actor }) => actor },
    {
      key: 'erased',
      title: texts.columns.erased,
      cell: ({ clients, leads, importedRows }) =>
        texts.erasedOf(format.count(clients), format.count(leads), format.count(importedRows)),
    },
    { key: 'kept', title: texts.columns.kept, cell: ({ conversions }) => texts.keptOf(format.count(conversions)) },
    {
      key: 'download',
      title: texts.columns.download,
      align: 'end',
      cell: (receipt) => (
        <span className="line">
          {receipt.isSuppressed && (
            <Button
              aria-label={`${texts.allow}: ${texts.receipt(receipt.id)}`}
              isBusy={allowing.isPending && allowing.variables === receipt.id}
              onClick={() => allowing.mutate(receipt.id)}
            >
              {texts.allow}
            </Button>
          )}
          <Button
            aria-label={`${texts.download}: ${texts.receipt(receipt.id)}`}
            onClick={() => save(receipt)}
            data-open
          >
            {texts.download}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Card title={texts.receipts}>
      {allowing.error && <Failure error={allowing.error} />}
      {receipts.length === 0 ? (
        <Empty icon="check" title={texts.receiptsEmptyTitle}>
          {texts.receiptsEmpty}
        </Empty>
      ) : (
        <Table caption={texts.receipts} columns={columns} rows={receipts} keyOf={(receipt) => receipt.id} />
      )}
    </Card>
  );
};

const tones = { pending: 'accent', failed: 'bad' } as const;

/** Erasures that have left no receipt. One that leaves the list has left one. */
const Started = ({ started }: { readonly started: readonly StartedErasure[] }) => {
  const texts = useTexts(erasureTexts);
  if (started.length === 0) return null;
  return (
    <Card title={texts.startedTitle}>
      <ul className={styles.started}>
        {started.map(({ id, state, by, actor, requestedAt }) => (
          <li key={id}>
            <p className="line">
              <Badge tone={tones[state]}>{texts.states[state]}</Badge>
              <strong>
                {texts.bys[by]} · {id}
              </strong>
              <span className="small">
                <Time at={requestedAt} look="ago" /> {texts.startedBy(actor)}
              </span>
            </p>
            <p className="small">{texts.stateTexts[state]}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const isAnyone = ({ clients, leads, importedRows, listedRows }: Receipt): boolean =>
  clients + leads + importedRows + listedRows > 0;

/**
 * Says once when an erasure is done that was started here. Returns what to call with its id: a fast one may never have been
 * in the list as pending, and its receipt may be there before the reply to its start.
 */
const useDoneToast = (receipts: readonly Receipt[]): ((id: string) => void) => {
  const texts = useTexts(erasureTexts);
  const [started, setStarted] = useState<readonly string[]>([]);
  const told = useRef(new Set<string>());
  useEffect(() => {
    const done = receipts.find(({ id }) => started.includes(id) && !told.current.has(id));
    if (!done) return;
    told.current.add(done.id);
    showToast(isAnyone(done) ? texts.doneToast : texts.nobodyToast);
  }, [started, receipts, texts]);
  return (id) => setStarted((ids) => [...ids, id]);
};

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
        <div className="card-body">
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
