import { useState } from 'react';
import type { Account, AccountSettingsInput } from '../../../src/contract/accounts.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Stack } from '../../parts/stack.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { accountsTexts } from './texts.ts';

type Settings = Pick<Account, 'name' | 'country' | 'rateLimit' | 'gpc' | 'erased'>;

/** As the command line has them. */
export const defaults: Settings = { name: '', country: 'AR', rateLimit: 200, gpc: 'respect', erased: 'allow' };

interface AccountFormProps {
  readonly title: string;
  /** What happens then. */
  readonly text: string;
  readonly submit: string;
  readonly settings: Settings;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (settings: AccountSettingsInput) => void;
  readonly onClose: () => void;
}

/** The settings of an account, to create or change it. */
export const AccountForm = (props: AccountFormProps) => {
  const { title, text, submit, settings, isBusy, error, onSubmit, onClose } = props;
  const common = useTexts(commonTexts);
  const texts = useTexts(accountsTexts);
  const [gpc, setGpc] = useState(settings.gpc);
  const [erased, setErased] = useState(settings.erased);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="account" isBusy={isBusy}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id="account"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const [name, country] = [formText(form, 'name'), formText(form, 'country')];
          onSubmit({ name, country, rateLimit: Number(formText(form, 'rateLimit')), gpc, erased });
        }}
      >
        <Stack>
          <Field
            label={texts.name}
            name="name"
            defaultValue={settings.name}
            maxLength={200}
            pattern=".*\S.*"
            autoComplete="off"
            required
            data-focus
          />
          <Field
            label={texts.country}
            name="country"
            hint={texts.countryHint}
            defaultValue={settings.country}
            maxLength={2}
            pattern="[A-Za-z]{2}"
            autoComplete="off"
            required
          />
          <Field
            label={texts.rate}
            name="rateLimit"
            type="number"
            hint={texts.rateHint}
            defaultValue={settings.rateLimit}
            min={1}
            max={1_000_000}
            required
          />
          <Select
            label={texts.gpc}
            hint={texts.gpcHints[gpc]}
            value={gpc}
            options={[
              { value: 'respect', label: texts.gpcNames.respect },
              { value: 'measure', label: texts.gpcNames.measure },
            ]}
            onChange={setGpc}
          />
          <Select
            label={texts.erased}
            hint={texts.erasedHints[erased]}
            value={erased}
            options={[
              { value: 'allow', label: texts.erasedNames.allow },
              { value: 'suppress', label: texts.erasedNames.suppress },
            ]}
            onChange={setErased}
          />
          <p className={styles.soft}>{text}</p>
          {error && <Failure error={error} />}
        </Stack>
      </form>
    </Dialog>
  );
};
