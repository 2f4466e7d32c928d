import { Link } from '@tanstack/react-router';
import { commonTexts } from '../text/common/index.ts';
import { useTexts } from '../text/language.tsx';
import { Notice } from './notice.tsx';

export const NotFound = () => {
  const texts = useTexts(commonTexts);
  return <Notice title={texts.notFound} text={texts.notFoundText} action={<Link to="/">{texts.toOverview}</Link>} />;
};
