import { ApiError, type FieldProblem } from '../../api/api-error.ts';
import { Failure } from '../../parts/failure.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

/** The problems of fields that an error names. */
export const problemsIn = (error: Error | null): readonly FieldProblem[] =>
  error instanceof ApiError ? error.problems : [];

/** Beside the button: that fields are wrong, which say so themselves, or what else went wrong. */
export const Wrong = ({ error }: { readonly error: Error }) => {
  const texts = useTexts(connectionTexts);
  const { length } = problemsIn(error);
  if (length === 0) return <Failure error={error} />;
  return (
    <p className={styles.problem} role="alert">
      {texts.wrongFields(length)}
    </p>
  );
};
