import type { ApiKey } from '../../../src/contract/keys.ts';
import { useMay } from '../../api/use-api.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { keysTexts } from './texts.ts';

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

const tones: Readonly<Record<ApiKey['state'], Tone>> = { active: 'good', expired: 'warn', revoked: 'plain' };

export const KeyTable = ({ keys, onRevoke }: KeyTableProps) => {
  const texts = useTexts(keysTexts);
  const format = useFormat();
  const mayManage = useMay('manage-keys');
  const columns: readonly Column<ApiKey>[] = [
    {
      key: 'name',
      title: texts.columns.name,
      isTitle: true,
      cell: ({ name, prefix }) => (
        <span className={styles.name}>
          <strong>{name}</strong>
          <code className={styles.small}>{prefix}…</code>
        </span>
      ),
    },
    {
      key: 'mode',
      title: texts.columns.mode,
      cell: ({ isTest }) => (isTest ? <Badge tone="accent">{texts.test}</Badge> : texts.live),
    },
    {
      key: 'scopes',
      title: texts.columns.scopes,
      cell: ({ scopes }) => scopes.map((scope) => texts.scopeNames[scope]).join(', '),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge>,
    },
    {
      key: 'used',
      title: texts.columns.used,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <Time at={lastUsedAt} look="ago" />),
    },
    {
      key: 'issued',
      title: texts.columns.issued,
      cell: ({ createdAt, issuedBy }) => (
        <span className={styles.stacked}>
          <Time at={createdAt} look="ago" />
          {issuedBy !== null && <span className={styles.small}>{texts.by(issuedBy)}</span>}
        </span>
      ),
    },
    {
      key: 'expires',
      title: texts.columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? texts.never : format.dayWithYear(expiresAt)),
    },
  ];
  const action: Column<ApiKey> = {
    key: 'action',
    title: texts.columns.action,
    align: 'end',
    cell: (key) =>
      key.state === 'active' && (
        <Button data-open aria-label={texts.revokeName(key.name)} onClick={() => onRevoke(key)}>
          {texts.revoke}
        </Button>
      ),
  };
  return (
    <Table
      caption={texts.title}
      columns={mayManage ? [...columns, action] : columns}
      rows={keys}
      keyOf={({ id }) => id}
      isEnded={({ state }) => state !== 'active'}
    />
  );
};
