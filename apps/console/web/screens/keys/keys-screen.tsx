import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../src/contract/keys.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { IssueDialog } from './issue-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { keysQuery } from './queries.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { keysTexts } from './texts.ts';

/** Which backends may register sales? */
export const KeysScreen = () => {
  const texts = useTexts(keysTexts);
  const api = useApi();
  const mayManage = useMay('manage-keys');
  const query = useQuery(keysQuery(api, useAccountId()));
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const issue = mayManage && (
    <Button look="primary" icon="plus" onClick={() => setIssuing(true)}>
      {texts.issue}
    </Button>
  );
  return (
    <>
      <ScreenHead title={texts.title} intro={mayManage ? texts.intro : texts.mayNot}>
        {issue}
      </ScreenHead>
      <Card>
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="key" title={texts.emptyTitle}>
                {mayManage ? texts.empty : texts.mayNot}
              </Empty>
            ) : (
              <KeyTable keys={items} onRevoke={setRevoked} />
            )
          }
        </Loaded>
      </Card>
      {isIssuing && <IssueDialog onClose={() => setIssuing(false)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
};
