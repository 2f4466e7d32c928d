import type { AuditEntry } from '../../../src/contract/audit.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { Details } from './details.tsx';
import { Target } from './target.tsx';
import { auditTexts } from './texts.ts';
import { useAuditAccount, useFilter } from './use-audit.ts';
import { useActionName, useActorName } from './use-words.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly isStale: boolean;
}

export const AuditTable = ({ entries, isStale }: AuditTableProps) => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const actionName = useActionName();
  const actorName = useActorName();
  const isOfAll = useAuditAccount() === undefined;
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'action',
      title: texts.columns.action,
      isTitle: true,
      cell: (entry) => (
        <span className={styles.what}>
          <button
            type="button"
            className={styles.filter}
            title={texts.only(actionName(entry.action))}
            onClick={() => filter({ action: entry.action })}
            data-open
          >
            {actionName(entry.action)}
          </button>
          <Target entry={entry} />
        </span>
      ),
    },
    {
      key: 'actor',
      title: texts.columns.actor,
      cell: ({ actor }) => (
        <button
          type="button"
          className={styles.filter}
          title={texts.only(actorName(actor))}
          onClick={() => filter({ actor })}
        >
          {actorName(actor)}
        </button>
      ),
    },
    { key: 'details', title: texts.columns.details, cell: ({ details }) => <Details details={details} /> },
    { key: 'at', title: texts.columns.at, align: 'end', cell: ({ at }) => <Time at={at} /> },
  ];
  const account: Column<AuditEntry> = {
    key: 'account',
    title: texts.columns.account,
    cell: ({ accountName, accountId }) => accountName ?? (accountId === null ? '–' : `#${accountId}`),
  };
  return (
    <Table
      caption={texts.title}
      columns={isOfAll ? columns.toSpliced(2, 0, account) : columns}
      rows={entries}
      keyOf={({ id }) => id}
      isStale={isStale}
    />
  );
};
