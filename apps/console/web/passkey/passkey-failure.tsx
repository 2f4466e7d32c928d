import { Failure } from '../parts/failure.tsx';
import { useTexts } from '../text/language.tsx';
import styles from './passkey.module.css';
import { passkeyProblem } from './passkey-problem.ts';
import { passkeyTexts } from './texts.ts';

export const PasskeyFailure = ({ error }: { readonly error: Error }) => {
  const problem = passkeyProblem(error, useTexts(passkeyTexts));
  if (problem === undefined) return <Failure error={error} />;
  return (
    <p className={styles.problem} role="alert">
      {problem}
    </p>
  );
};
