import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PreviewPayloadReply } from '../../../src/contract/payload.ts';
import { useApi } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { payloadQuery } from './queries.ts';
import { payloadTexts } from './texts/payload.ts';

const Event = ({ event, isTest, note, held }: Extract<PreviewPayloadReply, { kind: 'event' }>) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(payloadTexts);
  return (
    <>
      {isTest && <Badge tone="plain">{common.test}</Badge>}
      {held !== null && (
        <p>
          {texts.held} <code>{held}</code>
        </p>
      )}
      {note !== null && <p lang="en">{note}</p>}
      {/* keyboards scroll what they can focus */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.event} tabIndex={0} aria-label={texts.title}>
        {JSON.stringify(event, undefined, 2)}
      </pre>
      <p className={styles.masked}>{texts.masked}</p>
    </>
  );
};

const Preview = ({ payload }: { readonly payload: PreviewPayloadReply }) => {
  const texts = useTexts(payloadTexts);
  const format = useFormat();
  switch (payload.kind) {
    case 'event':
      return <Event {...payload} />;
    case 'early':
      return <p>{texts.early(format.time(payload.at))}</p>;
    case 'skipped':
      return (
        <>
          <p>
            {texts.skipped} <code>{payload.reason}</code>
          </p>
          {payload.meaning !== null && <p lang="en">{payload.meaning}</p>}
        </>
      );
    case 'unusable':
      return (
        <p>
          {texts.unusable} <span lang="en">{payload.reason}</span>
        </p>
      );
  }
};

/** Built when it is asked for, with the data and settings of now. */
export const Payload = ({ delivery }: { readonly delivery: number }) => {
  const texts = useTexts(payloadTexts);
  const api = useApi();
  const account = useAccountId();
  const [isShown, setShown] = useState(false);
  const query = useQuery({ ...payloadQuery(api, account, delivery), enabled: isShown });
  return (
    <section className={styles.payload}>
      <h3>{texts.title}</h3>
      {isShown ? (
        <Loaded query={query} lines={6}>
          {(payload) => <Preview payload={payload} />}
        </Loaded>
      ) : (
        <>
          <p className={styles.masked}>{texts.intro}</p>
          <Button onClick={() => setShown(true)}>{texts.show}</Button>
        </>
      )}
    </section>
  );
};
