import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Page } from '../../../src/contract/pages.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { TypedConfirmation } from '../../parts/dialog.tsx';
import { Switch } from '../../parts/form.tsx';
import { Card } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { deletePage, useSwitch } from './queries.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';

/** The URL of a page, and whether it is on. */
export const PageState = ({ page }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts);
  const mayEdit = useMay('edit-pages');
  const change = useSwitch();
  const { id, slug, url, previewUrl, isOn, script } = page;
  return (
    <div className={styles.state}>
      <Switch
        isOn={isOn}
        name={texts.isOn(slug)}
        disabled={!mayEdit}
        isBusy={change.isPending}
        onChange={(wanted) => change.mutate({ id, slug, isOn: wanted })}
      >
        {isOn ? texts.on : texts.off}
      </Switch>
      {script === null && (
        <>
          <CopyButton text={url} what={url} />
          <a className={styles.open} href={isOn ? url : previewUrl} target="_blank" rel="noreferrer">
            {isOn ? texts.open : texts.openPreview}
            <Icon name="external" />
          </a>
        </>
      )}
      {change.error && <Failure error={change.error} />}
    </div>
  );
};

/** Asks, and says what is lost, before a page is deleted for good. */
export const DeletePage = ({ page: { id, slug, url } }: { readonly page: Page }) => {
  const texts = useTexts(pagesTexts).delete;
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deletePage(api, account, id),
    onSuccess: async () => {
      showToast(texts.done(slug));
      // unsaved changes go with the page
      await navigate({ to: '/a/$account/pages', params: { account }, ignoreBlocker: true });
      client.removeQueries({ queryKey: ['page', account, String(id)] });
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
  });
  return (
    <Card title={texts.title}>
      <div className={styles.delete}>
        <p>{texts.text}</p>
        <Button look="danger" onClick={() => setAsking(true)}>
          {texts.action}
        </Button>
      </div>
      {isAsking && (
        <TypedConfirmation
          title={texts.title}
          name={slug}
          action={texts.confirm}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{texts.lost(url)}</p>
          <p>{texts.kept}</p>
        </TypedConfirmation>
      )}
    </Card>
  );
};
