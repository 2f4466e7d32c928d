import { useState } from 'react';
import type { PasskeyView } from '../../../src/contract/security.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { addPasskey, arePasskeysSupported } from '../../passkey/browser-passkeys.ts';
import { PasskeyFailure } from '../../passkey/passkey-failure.tsx';
import { useTexts } from '../../text/language.tsx';
import { RemovePasskey, RenamePasskey } from './passkey-dialogs.tsx';
import styles from './style.module.css';
import { securityTexts } from './texts.ts';
import { useChange } from './use-change.ts';

interface PasskeyCardProps {
  /** By the server: not if it is opened by an IP address. */
  readonly isSupported: boolean;
  readonly passkeys: readonly PasskeyView[];
}

interface Opened {
  readonly dialog: 'rename' | 'remove';
  readonly passkey: PasskeyView;
}

export const PasskeyCard = ({ isSupported, passkeys }: PasskeyCardProps) => {
  const texts = useTexts(securityTexts);
  const [opened, setOpened] = useState<Opened>();
  const add = useChange({ change: addPasskey, done: ({ name }) => texts.added(name) });
  const close = () => setOpened(undefined);
  const columns: readonly Column<PasskeyView>[] = [
    { key: 'name', title: texts.name, isTitle: true, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'added', title: texts.addedAt, cell: ({ createdAt }) => <Time at={createdAt} look="ago" /> },
    {
      key: 'used',
      title: texts.usedAt,
      cell: ({ usedAt }) => (usedAt === null ? texts.neverUsed : <Time at={usedAt} look="ago" />),
    },
    {
      key: 'actions',
      title: texts.actions,
      align: 'end',
      isTitle: true,
      cell: (passkey) => (
        <div className={styles.actions}>
          <Button
            look="quiet"
            aria-label={texts.renameNamed(passkey.name)}
            data-open
            onClick={() => setOpened({ dialog: 'rename', passkey })}
          >
            {texts.rename}
          </Button>
          <Button
            look="quiet"
            aria-label={texts.removeNamed(passkey.name)}
            onClick={() => setOpened({ dialog: 'remove', passkey })}
          >
            {texts.remove}
          </Button>
        </div>
      ),
    },
  ];
  const canAdd = isSupported && arePasskeysSupported();
  const addButton = canAdd && (
    <Button look="primary" icon="shield" isBusy={add.isPending} onClick={() => add.mutate()}>
      {texts.add}
    </Button>
  );
  return (
    <Card title={texts.passkeys} tools={passkeys.length > 0 && addButton}>
      {add.error && (
        <div className={styles.inset}>
          <PasskeyFailure error={add.error} />
        </div>
      )}
      {passkeys.length > 0 ? (
        <Table caption={texts.passkeys} columns={columns} rows={passkeys} keyOf={({ id }) => id} />
      ) : (
        <Empty icon="shield" title={texts.noPasskeys} action={addButton}>
          {canAdd ? texts.noPasskeysText : texts[isSupported ? 'oldBrowser' : 'unsupported']}
        </Empty>
      )}
      {opened?.dialog === 'rename' && <RenamePasskey passkey={opened.passkey} onClose={close} />}
      {opened?.dialog === 'remove' && <RemovePasskey passkey={opened.passkey} onClose={close} />}
    </Card>
  );
};
