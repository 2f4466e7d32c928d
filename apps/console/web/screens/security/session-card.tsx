import type { PersonSessionView } from '../../../src/contract/security.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Failure } from '../../parts/failure.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { endSessions } from './queries.ts';
import styles from './style.module.css';
import { securityTexts } from './texts.ts';
import { useChange } from './use-change.ts';

export const SessionCard = ({ sessions }: { readonly sessions: readonly PersonSessionView[] }) => {
  const texts = useTexts(securityTexts);
  const end = useChange({
    change: endSessions,
    done: (_, id: number | undefined) => (id === undefined ? texts.endedOthers : texts.ended),
  });
  const nameOf = ({ device }: PersonSessionView) => device ?? texts.unknownDevice;
  const columns: readonly Column<PersonSessionView>[] = [
    {
      key: 'device',
      title: texts.device,
      isTitle: true,
      cell: (session) => (
        <span className={styles.device}>
          <strong>{nameOf(session)}</strong>
          {session.isCurrent && <Badge tone="good">{texts.current}</Badge>}
        </span>
      ),
    },
    { key: 'seen', title: texts.seenAt, cell: ({ seenAt }) => <Time at={seenAt} look="ago" /> },
    { key: 'started', title: texts.startedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'actions',
      title: texts.actions,
      align: 'end',
      isTitle: true,
      cell: (session) =>
        !session.isCurrent && (
          <div className={styles.actions}>
            <Button
              look="quiet"
              aria-label={texts.endNamed(nameOf(session))}
              isBusy={end.isPending && end.variables === session.id}
              data-open
              onClick={() => end.mutate(session.id)}
            >
              {texts.end}
            </Button>
          </div>
        ),
    },
  ];
  return (
    <Card
      title={texts.sessions}
      tools={
        sessions.length > 1 && (
          <Button isBusy={end.isPending && end.variables === undefined} onClick={() => end.mutate(undefined)}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      {end.error && (
        <div className={styles.inset}>
          <Failure error={end.error} />
        </div>
      )}
      <Table caption={texts.sessions} columns={columns} rows={sessions} keyOf={({ id }) => id} />
    </Card>
  );
};
