import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Receipt } from '../../../src/contract/erasures.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { download } from '../../download.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { allowPerson, erasuresQuery } from './queries.ts';
import { erasureTexts } from './texts.ts';

/** Signed, with everything that verifies them: the same file as on the page of the receipt. */
const save = ({ id, signed }: Receipt) =>
  download(`receipt-${id}.json`, `${JSON.stringify(signed, null, 2)}\n`, 'application/json');

/** What is kept of erasures: never who was erased. */
export const Receipts = ({ receipts }: { readonly receipts: readonly Receipt[] }) => {
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
        <span className={styles.line}>
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
