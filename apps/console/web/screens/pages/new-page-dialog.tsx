import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import type { PageProblem } from '../../../src/contract/pages.ts';
import { useApi } from '../../api/use-api.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useLanguage, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { createPage } from './queries.ts';
import { pagesTexts } from './texts.ts';

interface NewPageDialogProps {
  readonly baseUrl: string;
  readonly onClose: () => void;
}

/** Asks for what a page cannot be without, creates it, and opens its editor. */
export const NewPageDialog = ({ baseUrl, onClose }: NewPageDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(pagesTexts);
  const { language } = useLanguage();
  const id = useId();
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const [slug, setSlug] = useState('');
  const create = useMutation({
    mutationFn: (form: FormData) =>
      createPage(api, account, { slug, targetUrl: formText(form, 'targetUrl'), language }),
    onSuccess: async (reply) => {
      if (reply.outcome !== 'created') return;
      showToast(texts.created(reply.page.slug));
      await client.invalidateQueries({ queryKey: ['pages'] });
      await navigate({ to: '/a/$account/pages/$page', params: { account, page: String(reply.page.id) } });
    },
  });
  const { data } = create;
  const problemOf = (field: PageProblem) => {
    if (field === 'slug' && data?.outcome === 'slug-taken') return texts.slugTaken;
    return data?.outcome === 'invalid' && data.problems.includes(field) ? texts.problems[field] : undefined;
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={texts.newPage}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form={id} isBusy={create.isPending}>
            {texts.create}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.newPage} noValidate onSubmit={submit}>
        <p>{texts.newPageIntro}</p>
        <Field
          label={texts.slug}
          name="slug"
          value={slug}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={texts.slugHint(baseUrl + (slug || '…'))}
          problem={problemOf('slug')}
          onChange={(event) => setSlug(event.target.value.toLowerCase().replaceAll(/\s+/g, '-'))}
          data-focus
        />
        <Field
          label={texts.fields.targetUrl}
          name="targetUrl"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          hint={texts.hints.targetUrl}
          problem={problemOf('targetUrl')}
        />
        {create.error && <Failure error={create.error} />}
      </form>
    </Dialog>
  );
};
