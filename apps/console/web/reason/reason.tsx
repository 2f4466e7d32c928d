import { platformNamed } from '@leadback/domain/connection';
import { type ReasonText, reasonMeaning, reasonText } from '@leadback/domain/reasons';
import { useLanguage } from '../text/language.tsx';
import type { PlatformName } from '../parts/platform.tsx';

/** The text of a reason, by its code; undefined if only the platform's words say what it is. */
export const useReason = (): ((code: string) => ReasonText | undefined) => {
  const { language } = useLanguage();
  return (code) => reasonText(language, code);
};

/** What a reason is called, with its code beside it; the code alone if it has no text. */
export const ReasonTitle = ({ code }: { readonly code: string }) => {
  const reason = useReason()(code);
  if (!reason) return <code>{code}</code>;
  return (
    <span>
      {reason.title} <code className="tiny">{code}</code>
    </span>
  );
};

interface ReasonWordsProps {
  readonly code: string;
  readonly platform: PlatformName;
  readonly className?: string | undefined;
}

/** What a reason means, and what helps. Nothing if the title says all, or only the platform's words do. */
export const ReasonWords = ({ code, platform, className }: ReasonWordsProps) => {
  const reason = useReason()(code);
  const meaning = reason && reasonMeaning(reason, platformNamed(platform)?.eventDaysMax ?? 0);
  if (meaning === undefined) return null;
  return (
    <p className={className}>
      {meaning} {reason?.remedy}
    </p>
  );
};
