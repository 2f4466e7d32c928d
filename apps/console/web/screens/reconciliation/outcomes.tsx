import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Measure, ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useMay } from '../../api/use-api.ts';
import files from '../../files/style.module.css';
import { Amounts } from '../../parts/amounts.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { classNames } from '../../parts/class-names.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { ReplayDialog } from './replay-dialog.tsx';
import { ReplayState } from './replay-state.tsx';
import { measures } from './search.ts';
import { reconciliationTexts } from './texts.ts';

const tones: Readonly<Record<Measure, 'bad' | 'warn' | 'good' | undefined>> = {
  missing: 'bad',
  missingWithoutClient: 'warn',
  extra: 'warn',
  amountDiffers: 'warn',
  currencyDiffers: 'warn',
  undelivered: 'bad',
  duplicateInList: undefined,
  refused: 'bad',
  matched: 'good',
};

const useColumns = ({ counts, money, registered }: ReconciliationItem): readonly Column<Measure>[] => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  return [
    {
      key: 'outcome',
      title: texts.outcome,
      isTitle: true,
      cell: (one) => (
        <Link
          from="/a/$account/reconciliation/$reconciliation"
          to="."
          search={{ outcome: one }}
          replace
          resetScroll={false}
          className={styles.outcome}
          data-open
        >
          <strong>{texts.outcomes[one].title}</strong>
          <span className={styles.small}>{texts.outcomes[one].meaning}</span>
        </Link>
      ),
    },
    {
      key: 'count',
      title: texts.count,
      align: 'end',
      cell: (one) => (
        <span className={classNames(styles.count, counts[one] > 0 && tones[one] && styles[tones[one]])}>
          {format.count(counts[one])}
        </span>
      ),
    },
    {
      key: 'amount',
      title: texts.amount,
      align: 'end',
      cell: (one) => (
        <span className={styles.amounts}>
          {money[one].length === 0 ? '–' : <Amounts money={money[one]} />}
          {one === 'amountDiffers' && registered.length > 0 && (
            <span className={styles.small}>
              {texts.registeredAs} <Amounts money={registered} />
            </span>
          )}
        </span>
      ),
    },
  ];
};

/** How many rows have each outcome, and what they are worth; those that are missing can be registered. */
export const Outcomes = ({ item, outcome }: { readonly item: ReconciliationItem; readonly outcome: Measure }) => {
  const texts = useTexts(reconciliationTexts);
  const mayReplay = useMay('import-sales');
  const [isOpen, setOpen] = useState(false);
  const columns = useColumns(item);
  const { counts, replay } = item;
  const missing = counts.missing + counts.missingWithoutClient;
  return (
    <Card
      title={missing + counts.extra + counts.amountDiffers + counts.currencyDiffers === 0 ? texts.alike : texts.found}
      tools={
        mayReplay &&
        missing > 0 && (
          <Button look="primary" icon="check" disabled={replay?.state === 'running'} onClick={() => setOpen(true)}>
            {texts.replay}
          </Button>
        )
      }
    >
      {item.state === 'failed' && <p className={files.form}>{texts.failed}</p>}
      {replay && !replay.isDryRun && <ReplayState replay={replay} />}
      <Table
        caption={texts.found}
        columns={columns}
        rows={measures.filter((one) => counts[one] > 0 || one === 'missing' || one === 'matched')}
        keyOf={(one) => one}
        isCurrent={(one) => one === outcome}
      />
      {isOpen && <ReplayDialog item={item} onClose={() => setOpen(false)} />}
    </Card>
  );
};
