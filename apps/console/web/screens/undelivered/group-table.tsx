import type { UndeliveredGroup } from '../../../src/contract/undelivered.ts';
import { useMay } from '../../api/use-api.ts';
import { Amounts } from '../../parts/amounts.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ReasonWords, useGroupName } from './reason-words.tsx';
import { undeliveredTexts } from './texts.ts';

interface GroupTableProps {
  readonly groups: readonly UndeliveredGroup[];
  readonly onRetry: (group: UndeliveredGroup) => void;
}

export const GroupTable = ({ groups, onRetry }: GroupTableProps) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const nameOf = useGroupName();
  const counted = (count: number, isPartial: boolean) =>
    isPartial ? texts.orMore(format.count(count)) : format.count(count);
  const mayRetry = useMay('retry');
  const columns: readonly Column<UndeliveredGroup>[] = [
    { key: 'reason', title: texts.columns.reason, isTitle: true, cell: (group) => <ReasonWords group={group} /> },
    {
      key: 'deliveries',
      title: texts.columns.deliveries,
      align: 'end',
      cell: ({ deliveries, isPartial }) => <strong>{counted(deliveries, isPartial)}</strong>,
    },
    {
      key: 'conversions',
      title: texts.columns.conversions,
      align: 'end',
      cell: ({ conversions, isPartial }) => counted(conversions, isPartial),
    },
    {
      key: 'money',
      title: texts.columns.money,
      align: 'end',
      cell: ({ money, isPartial }) =>
        money.length === 0 ? (
          '–'
        ) : (
          <>
            {isPartial && texts.partial} <Amounts money={money} />
          </>
        ),
    },
  ];
  const action: Column<UndeliveredGroup> = {
    key: 'action',
    title: texts.columns.action,
    align: 'end',
    cell: (group) => (
      <Button icon="retry" aria-label={`${texts.retry} ${nameOf(group)}`} onClick={() => onRetry(group)}>
        {texts.retry}
      </Button>
    ),
  };
  return (
    <Table
      caption={texts.title}
      columns={mayRetry ? [...columns, action] : columns}
      rows={groups}
      keyOf={({ connectionId, state, code }) => `${connectionId} ${state} ${code}`}
    />
  );
};
