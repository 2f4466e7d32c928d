import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery, useApi, useSession } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/notices.tsx';
import { type Texts, useFormat, useTexts } from '../text/language.tsx';
import styles from './style.module.css';

const guessedEn = {
  told: (count: string, since: string) =>
    `Somebody who knew your password gave wrong codes (${count}) since ${since}. If that was not you, change your password now.`,
  change: 'Change password',
  isRead: 'I have read this',
};

const guessedEs: typeof guessedEn = {
  told: (count, since) =>
    `Alguien que conocía tu contraseña dio códigos incorrectos (${count}) desde ${since}. Si no eras tú, cambia ahora tu contraseña.`,
  change: 'Cambiar la contraseña',
  isRead: 'Lo he leído',
};

const guessedPt: typeof guessedEn = {
  told: (count, since) =>
    `Alguém que sabia sua senha deu códigos errados (${count}) desde ${since}. Se não foi você, mude sua senha agora.`,
  change: 'Mudar a senha',
  isRead: 'Já li',
};

const guessedTexts: Texts<typeof guessedEn> = { en: guessedEn, es: guessedEs, pt: guessedPt };

/** Tells once of wrong codes with the right password. */
export const GuessedCodes = () => {
  const texts = useTexts(guessedTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { guessedCodes } = useSession();
  const confirm = useMutation({
    mutationFn: (count: number) => api.postSession('/api/session/guessed-codes', { count }),
    onSuccess: (session) => client.setQueryData(sessionQuery(api).queryKey, session),
  });
  if (!guessedCodes) return null;
  const { count, since } = guessedCodes;
  return (
    <div className={styles.note} role="status">
      <p>{texts.told(format.count(count), format.time(since))}</p>
      <p>
        <Link to="/security">{texts.change}</Link>{' '}
        <Button look="quiet" isBusy={confirm.isPending} onClick={() => confirm.mutate(count)}>
          {texts.isRead}
        </Button>
      </p>
      {confirm.error && <Failure error={confirm.error} />}
    </div>
  );
};
