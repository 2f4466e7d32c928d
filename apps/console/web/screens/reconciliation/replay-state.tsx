import type { Replay } from '../../../src/contract/reconciliations.ts';
import files from '../../files/style.module.css';
import { Notices } from '../../files/notices.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { reconciliationTexts } from './texts.ts';
import { useReplayNotices, useReplayWords } from './replay-words.ts';

/** What the last registration of missing rows has done so far. */
export const ReplayState = ({ replay }: { readonly replay: Replay }) => {
  const texts = useTexts(reconciliationTexts);
  const format = useFormat();
  const words = useReplayWords();
  const notices = useReplayNotices();
  const { state, counts } = replay;
  const left = counts.refused + counts.differs;
  return (
    <div className={files.form} role="status">
      <p>
        <strong>{texts.replays[state](words(replay))}</strong> {state === 'done' && texts.compareAgain}
      </p>
      {state === 'running' && <progress aria-label={texts.replay} />}
      <Notices texts={[...(left > 0 ? [texts.notRegistered(format.count(left))] : []), ...notices(replay)]} />
    </div>
  );
};
