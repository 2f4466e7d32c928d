import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import type { PageDraft } from '../../../src/contract/pages.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { textsMax } from './draft.ts';
import styles from './style.module.css';
import { uploadImage } from './queries.ts';
import { type PagesTexts, pagesTexts } from './texts.ts';
import { UploadButton } from './upload-button.tsx';

type Image = PageDraft['logo'];

const bytesMax = 512 * 1024;

class TooLarge extends Error {}

/** What is wrong with the file; undefined: nothing is, but the upload failed. */
const problemIn = (error: Error | null, texts: PagesTexts['imageProblems']): string | undefined => {
  if (error instanceof TooLarge) return texts.size;
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 413) return texts.size;
  if (error.status === 429) return texts.often;
  return error.status === 400 || error.status === 415 ? texts.type : undefined;
};

interface ImageFieldProps {
  readonly field: 'logo' | 'hero';
  readonly value: Image;
  readonly problem: string | undefined;
  readonly onChange: (field: 'logo' | 'hero', value: Image) => void;
}

/** An image: uploaded, or at a URL of another server. */
export const ImageField = ({ field, value, problem, onChange }: ImageFieldProps) => {
  const texts = useTexts(pagesTexts);
  const id = useId();
  const api = useApi();
  const account = useAccountId();
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > bytesMax) throw new TooLarge();
      return uploadImage(api, account, file);
    },
    onSuccess: (stored) => onChange(field, { alt: value?.alt ?? '', ...stored }),
  });
  const isUploaded = value?.src.startsWith('/media/') === true;
  const wrong = problemIn(upload.error, texts.imageProblems) ?? problem;
  return (
    <fieldset className={styles.image} aria-describedby={id}>
      <legend>{texts.fields[field]}</legend>
      {value && isUploaded && (
        <p className={styles.thumbnail}>
          <img src={value.src} alt="" />
          <span>
            {texts.image.uploaded}
            {value.width !== undefined && value.height !== undefined && (
              <small>{texts.imageSize(value.width, value.height)}</small>
            )}
          </span>
        </p>
      )}
      {value && !isUploaded && (
        <Field
          label={texts.image.url}
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          value={value.src}
          onChange={({ target }) => onChange(field, { src: target.value, alt: value.alt })}
        />
      )}
      <div className={styles.buttons}>
        <UploadButton
          label={isUploaded ? texts.image.replace : texts.image.upload}
          name={texts.fields[field]}
          isBusy={upload.isPending}
          onFile={(file) => upload.mutate(file)}
        />
        {!value && (
          <Button look="quiet" onClick={() => onChange(field, { src: '', alt: '' })}>
            {texts.image.useUrl}
          </Button>
        )}
        {value && (
          <Button
            look="quiet"
            aria-label={`${texts.image.remove}: ${texts.fields[field]}`}
            onClick={() => {
              upload.reset();
              onChange(field, null);
            }}
          >
            {texts.image.remove}
          </Button>
        )}
      </div>
      {wrong === undefined && upload.error && <Failure error={upload.error} />}
      <p id={id} className={wrong === undefined ? styles.hint : styles.problem}>
        {wrong ?? texts.hints[field]}
      </p>
      {value && (
        <Field
          label={texts.image.alt}
          hint={texts.image.altHint}
          value={value.alt}
          maxLength={textsMax.alt}
          onChange={({ target }) => onChange(field, { ...value, alt: target.value })}
        />
      )}
    </fieldset>
  );
};
