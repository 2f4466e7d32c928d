import type { Receipt } from '../../../src/contract/erasures.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { download } from '../../download.ts';
import { useAccountId, useFrameAccount } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './erasure.module.css';
import { receiptText } from './receipt-text.ts';
import { erasureTexts } from './texts/index.ts';

/** What the audit log keeps of erasures: never who was erased. */
export const Receipts = ({ receipts }: { readonly receipts: readonly Receipt[] }) => {
  const texts = useTexts(erasureTexts);
  const format = useFormat();
  const id = useAccountId();
  const account = useFrameAccount();
  const save = (receipt: Receipt) => {
    const name = account === undefined ? `#${id}` : `${account.name} (#${id})`;
    download(`erasure-${receipt.id}.txt`, receiptText(receipt, name, texts), 'text/plain');
  };
  const columns: readonly Column<Receipt>[] = [
    {
      key: 'receipt',
      title: texts.columns.receipt,
      isTitle: true,
      cell: (one) => <strong className={styles.receipt}>{texts.receipt(one.id)}</strong>,
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
        <Button aria-label={`${texts.download}: ${texts.receipt(receipt.id)}`} onClick={() => save(receipt)} data-open>
          {texts.download}
        </Button>
      ),
    },
  ];
  return (
    <Card title={texts.receipts}>
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
