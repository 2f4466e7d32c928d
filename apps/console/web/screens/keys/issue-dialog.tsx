import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssueKeyInput } from '../../../src/contract/keys.ts';
import { useApi } from '../../api/use-api.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Stack } from '../../parts/stack.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { NewKey } from './new-key.tsx';
import { issueKey, keysQuery } from './queries.ts';
import { ScopeChoices, usualScopes } from './scope-choices.tsx';
import { keysTexts } from './texts.ts';

const nameMax = 200;
const dayMs = 86_400_000;
const tomorrow = (): string => new Date(Date.now() + dayMs).toISOString().slice(0, 10);

/** Asks for a name, the mode and the expiry; then shows the key, this once. */
export const IssueDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(keysTexts);
  const api = useApi();
  const client = useQueryClient();
  const account = useAccountId();
  const [mode, setMode] = useState<'live' | 'test'>('test');
  const [scopes, setScopes] = useState(usualScopes);
  const issue = useMutation({
    mutationFn: (input: IssueKeyInput) => issueKey(api, account, input),
    // the key is nowhere but on the page
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(api, account).queryKey }),
  });
  if (issue.data) return <NewKey issued={issue.data} onClose={onClose} />;
  return (
    <Dialog
      title={texts.issueTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="issue-key" isBusy={issue.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form
        id="issue-key"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          if (scopes.length === 0) return;
          const expires = formText(form, 'expires');
          const key = { name: formText(form, 'name'), isTest: mode === 'test', scopes: [...scopes] };
          issue.mutate({ ...key, ...(expires !== '' && { expires }) });
        }}
      >
        <Stack>
          <Field
            label={texts.name}
            name="name"
            hint={texts.nameHint}
            maxLength={nameMax}
            pattern=".*\S.*"
            autoComplete="off"
            required
            data-focus
          />
          <Select
            label={texts.mode}
            hint={texts.modeHints[mode]}
            value={mode}
            options={[
              { value: 'test', label: texts.test },
              { value: 'live', label: texts.live },
            ]}
            onChange={setMode}
          />
          <ScopeChoices chosen={scopes} onChange={setScopes} />
          <Field label={texts.expires} name="expires" type="date" min={tomorrow()} hint={texts.expiresHint} />
          {issue.error && <Failure error={issue.error} />}
        </Stack>
      </form>
    </Dialog>
  );
};
