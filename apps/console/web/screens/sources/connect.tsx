import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ConnectedReply, SourceKind, SourceReply } from '../../../src/contract/sources.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/layout.tsx';
import { Failure } from '../../parts/notices.tsx';
import { useTexts } from '../../text/language.tsx';
import looks from '../connections/style.module.css';
import { connectTexts } from './connect-texts.ts';
import { Copied } from './other-side.tsx';
import { connectPage, connectSource, useSourcesChanged } from './queries.ts';
import styles from './style.module.css';

/** What the page of the other side wrote behind the address to return to. */
const returned = (): { readonly code: string; readonly state: string } | undefined => {
  const query = new URLSearchParams(window.location.search);
  const [code, state] = [query.get('code'), query.get('state')];
  return code === null || state === null ? undefined : { code, state };
};

const Outcome = ({ outcome, unsent }: ConnectedReply) => {
  const texts = useTexts(connectTexts);
  const isGood = outcome === 'connected';
  return (
    <div role={isGood ? 'status' : 'alert'} className={isGood ? styles.said : looks.warning}>
      <p>{texts.outcomes[outcome]}</p>
      {unsent.length > 0 && <p>{texts.unsent(unsent.join(', '))}</p>}
    </div>
  );
};

interface ConnectProps {
  readonly account: string;
  readonly kind: SourceKind;
  readonly found: SourceReply;
}

/** Lets the other side give its credentials at a page of its own, and takes the code with which the person comes back. */
export const Connect = ({ account, kind, found: { source, settings, secrets } }: ConnectProps) => {
  const texts = useTexts(connectTexts);
  const api = useApi();
  const navigate = useNavigate();
  const sourcesChanged = useSourcesChanged();
  const may = useMay('manage-connections');
  const [answer] = useState(returned);
  const isTaken = useRef(false);
  const leave = useMutation({
    mutationFn: () => connectPage(api, account, source.id),
    onSuccess: ({ page }) => window.location.assign(page),
  });
  const take = useMutation({
    mutationFn: (input: NonNullable<typeof answer>) => connectSource(api, account, source.id, input),
    onSuccess: sourcesChanged,
  });
  const { mutate } = take;
  useEffect(() => {
    if (!answer || !may || isTaken.current) return;
    isTaken.current = true;
    mutate(answer);
    // a code is good once: reloading the page must not send it again
    void navigate({
      to: '/a/$account/connections/sources/$source',
      params: { account, source: String(source.id) },
      replace: true,
    });
  }, [account, answer, may, mutate, navigate, source.id]);

  const { store } = settings;
  const isConnected = store !== undefined && secrets?.includes('accessToken') === true;
  const knowsApp = settings['appId'] !== undefined && secrets?.includes('secret') === true;
  return (
    <Card title={isConnected ? texts.titleConnected(store) : texts.title(kind.title)}>
      <div className={styles.body}>
        {take.isPending && <p role="status">{texts.busy}</p>}
        {take.data && <Outcome {...take.data} />}
        {(take.error ?? leave.error) && <Failure error={take.error ?? leave.error ?? new Error()} />}
        <p>{isConnected ? texts.again : texts.text}</p>
        <div className={styles.values}>
          <Copied title={texts.returnTo} value={window.location.origin + window.location.pathname} />
        </div>
        {!knowsApp && <p className={styles.small}>{texts.needsApp}</p>}
        {may ? (
          <div className={styles.actions}>
            <Button
              look={isConnected ? 'plain' : 'primary'}
              isBusy={leave.isPending}
              disabled={!knowsApp}
              onClick={() => leave.mutate()}
            >
              {isConnected ? texts.connectAgain : texts.connect}
            </Button>
          </div>
        ) : (
          <p className={styles.small}>{texts.mayNot}</p>
        )}
      </div>
    </Card>
  );
};
