import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SessionReply } from '../../src/contract/session.ts';
import { ApiError, sessionQuery, useApi, useSession } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, formText } from '../parts/form.tsx';
import { Failure } from '../parts/notices.tsx';
import { PasskeyButton, stepUpWithPasskey } from '../passkey/passkey.tsx';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import styles from './late.module.css';

const en = {
  title: 'Confirm that it is you',
  text: 'This action needs your second factor again. For the next 5 minutes you are not asked again.',
  code: 'Code of your authenticator app',
  submit: 'Continue',
  wrong: 'The code is wrong. Check that the clock of your device is right, or wait for the next one.',
  used: 'This code was used already. Wait for the next one.',
  locked: 'Too many wrong codes. Wait 15 minutes, then try again.',
};

type Texts = typeof en;

const es: Texts = {
  title: 'Confirma que eres tú',
  text: 'Esta acción necesita otra vez tu segundo factor. Durante 5 minutos no se vuelve a pedir.',
  code: 'Código de tu app de autenticación',
  submit: 'Continuar',
  wrong: 'El código es incorrecto. Comprueba que la hora de tu dispositivo es correcta, o espera el siguiente.',
  used: 'Este código ya se usó. Espera el siguiente.',
  locked: 'Demasiados códigos incorrectos. Espera 15 minutos e inténtalo de nuevo.',
};

const pt: Texts = {
  title: 'Confirme que é você',
  text: 'Esta ação precisa do seu segundo fator outra vez. Durante 5 minutos ele não é pedido outra vez.',
  code: 'Código do seu app autenticador',
  submit: 'Continuar',
  wrong: 'O código está errado. Veja se a hora do seu dispositivo está certa, ou espere o próximo.',
  used: 'Este código já foi usado. Espere o próximo.',
  locked: 'Códigos errados demais. Espere 15 minutos e tente de novo.',
};

const secondFactorTexts = { en, es, pt };

/** Asks for a code over the page, before an action that needs a fresh one. */
export const SecondFactor = ({ onAnswer }: { readonly onAnswer: (isGiven: boolean) => void }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(secondFactorTexts);
  const api = useApi();
  const client = useQueryClient();
  const { person } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const proceed = (session: SessionReply) => {
    client.setQueryData(sessionQuery(api).queryKey, session);
    onAnswer(true);
  };
  const confirmSecondFactor = useMutation({
    mutationFn: (code: string) => api.postSession('/api/session/step-up', { code }),
    onSuccess: proceed,
    onError: () => field.current?.select(),
  });
  const { error } = confirmSecondFactor;
  const problem =
    error instanceof ApiError
      ? { 'code-wrong': texts.wrong, 'code-used': texts.used, locked: texts.locked }[error.code ?? '']
      : undefined;
  return (
    <Dialog
      title={texts.title}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="second-factor" isBusy={confirmSecondFactor.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form
        id="second-factor"
        onSubmit={(event) => {
          event.preventDefault();
          confirmSecondFactor.mutate(formText(new FormData(event.currentTarget), 'code'));
        }}
      >
        <p className={styles.text}>{texts.text}</p>
        <Field
          ref={field}
          label={texts.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*(\d\s*){6}"
          problem={problem}
          data-focus
          required
        />
        {error && problem === undefined && <Failure error={error} />}
      </form>
      {person?.hasPasskey === true && <PasskeyButton what="confirm" attempt={stepUpWithPasskey} onDone={proceed} />}
    </Dialog>
  );
};
