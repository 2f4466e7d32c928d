import { platformNamed } from '@leadback/domain/connection';
import { type ReasonText, reasonMeaning, reasonText } from '@leadback/domain/reasons';
import { type PlatformName, titleOf } from '../parts/platform.tsx';
import { type Texts, useLanguage, useTexts } from '../text/language.tsx';

interface RejectedText {
  readonly title: (platform: string) => string;
  readonly remedy: string;
}

const rejectedTexts: Texts<RejectedText> = {
  en: {
    title: (platform) => `${platform} rejected the event`,
    remedy: 'Open one delivery, correct what the platform says there, then retry.',
  },
  es: {
    title: (platform) => `${platform} rechazó el evento`,
    remedy: 'Abre una entrega, corrige lo que dice la plataforma y después reintenta.',
  },
  pt: {
    title: (platform) => `${platform} rejeitou o evento`,
    remedy: 'Abra uma entrega, corrija o que a plataforma diz e depois tente de novo.',
  },
};

/**
 * The text of a reason, by its code; undefined if only the platform's words say what it is. With a platform, its code has a
 * text, too, if it is only a number, which says nothing by itself.
 */
export const useReason = (): ((code: string, platform?: PlatformName) => ReasonText | undefined) => {
  const { language } = useLanguage();
  const { title, remedy } = useTexts(rejectedTexts);
  return (code, platform) => {
    const known = reasonText(language, code);
    if (known || platform === undefined || !/^\d+(?:\/\d+)?$/.test(code)) return known;
    return { title: title(titleOf(platform)), remedy };
  };
};

interface ReasonTitleProps {
  readonly code: string;
  /** Whose code it may be. */
  readonly platform?: PlatformName;
}

/** What a reason is called, with its code beside it; the code alone if it has no text. */
export const ReasonTitle = ({ code, platform }: ReasonTitleProps) => {
  const reason = useReason()(code, platform);
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
  const reason = useReason()(code, platform);
  const meaning = reason && reasonMeaning(reason, platformNamed(platform)?.eventDaysMax ?? 0);
  if (meaning === undefined && reason?.remedy === undefined) return null;
  return (
    <p className={className}>
      {meaning} {reason?.remedy}
    </p>
  );
};
