import { targetProblem } from '@leadback/core/pages/pages';
import {
  isImageName,
  type PageContent,
  type PageImage,
  pageFieldSchemas,
  slugSchema,
  webAddressSchema,
} from '@leadback/domain';
import type { z } from 'zod';
import type {
  CreatePageInput,
  DraftField,
  PageDraft,
  PageProblem,
  ScriptInput,
  ScriptProblem,
} from '../contract/pages.ts';

interface ReadNewPage {
  readonly slug: string;
  readonly content: Pick<PageContent, 'targetUrl' | 'language'>;
  /** What the two above cannot be created with. */
  readonly problems: PageProblem[];
}

/** `landingUrl`: the public URL of apps/landing. */
export const readNewPage = (typed: CreatePageInput, landingUrl: string): ReadNewPage => {
  const slug = slugSchema.safeParse(typed.slug.trim());
  const targetUrl = pageFieldSchemas.targetUrl.safeParse(typed.targetUrl.trim());
  const problems: PageProblem[] = [];
  if (!slug.success) problems.push('slug');
  if (!targetUrl.success || targetProblem(targetUrl.data, landingUrl) !== undefined) problems.push('targetUrl');
  return {
    slug: slug.data ?? '',
    content: { targetUrl: targetUrl.data ?? '', language: typed.language },
    problems,
  };
};

interface ReadScript {
  readonly content: Pick<PageContent, 'origins' | 'waitsForConsent'>;
  readonly problems: ScriptProblem[];
}

/** The sites of a page with the script, of which there has to be one. */
export const readScript = ({ origins, waitsForConsent }: ScriptInput, landingUrl: string): ReadScript => {
  const typed = origins.map((origin) => origin.trim()).filter((origin) => origin !== '');
  const { success, data = [] } = pageFieldSchemas.origins.safeParse(typed);
  const isUsable =
    success && data.length > 0 && data.every((origin) => targetProblem(origin, landingUrl) === undefined);
  return { content: { origins: data, waitsForConsent }, problems: isUsable ? [] : ['origins'] };
};

type DraftImage = PageDraft['logo'];

const uploaded = '/media/';
const isUploaded = (src: string) => src.startsWith(uploaded) && isImageName(src.slice(uploaded.length));

/** Content as it is typed. */
export const draftOf = (content: PageContent): PageDraft => {
  const { origins: _, waitsForConsent: __, ...drafted } = content;
  return {
    ...drafted,
    askedFields: [...content.askedFields],
    title: content.title ?? '',
    text: content.text ?? '',
    buttonLabel: content.buttonLabel ?? '',
    accentColor: content.accentColor ?? '',
    consentText: content.consentText ?? '',
    privacyUrl: content.privacyUrl ?? '',
  };
};

interface ReadDraft {
  /** Without the values that have a problem. */
  readonly content: Omit<PageContent, 'origins' | 'waitsForConsent'>;
  readonly problems: DraftField[];
}

export const readDraft = (draft: PageDraft): ReadDraft => {
  const problems: DraftField[] = [];
  const read = <Value>(field: DraftField, schema: z.ZodType<Value>, typed: string): Value | null => {
    if (typed.trim() === '') return null;
    const { success, data } = schema.safeParse(typed);
    if (!success) problems.push(field);
    return success ? data : null;
  };
  const image = (field: 'logo' | 'hero', typed: DraftImage): PageImage | null => {
    if (!typed) return null;
    const src = isUploaded(typed.src) ? typed.src : read(field, webAddressSchema, typed.src.trim());
    const alt = typed.alt === '' ? '' : read(field, pageFieldSchemas.alt, typed.alt);
    if (src === null) problems.push(field);
    return src === null ? null : { ...typed, src, alt: alt ?? '' };
  };
  const targetUrl = read('targetUrl', pageFieldSchemas.targetUrl, draft.targetUrl);
  if (targetUrl === null) problems.push('targetUrl');
  const content = {
    targetUrl: targetUrl ?? '',
    mode: draft.mode,
    title: read('title', pageFieldSchemas.title, draft.title),
    text: read('text', pageFieldSchemas.text, draft.text),
    buttonLabel: read('buttonLabel', pageFieldSchemas.buttonLabel, draft.buttonLabel),
    language: draft.language,
    accentColor: read('accentColor', pageFieldSchemas.accentColor, draft.accentColor.trim()),
    logo: image('logo', draft.logo),
    hero: image('hero', draft.hero),
    askedFields: pageFieldSchemas.askedFields.parse(draft.askedFields),
    consentText: read('consentText', pageFieldSchemas.consentText, draft.consentText),
    consentScope: draft.consentScope,
    privacyUrl: read('privacyUrl', pageFieldSchemas.privacyUrl, draft.privacyUrl.trim()),
    passedParameters:
      read('passedParameters', pageFieldSchemas.passedParameters, draft.passedParameters.trim()) ?? 'known',
  };
  // a direct page is never shown: visitors cannot agree
  if (content.mode === 'direct' && content.consentText !== null) problems.push('consentText');
  return { content, problems: [...new Set(problems)] };
};

/** As `readDraft`; also the page's own installation is no target. */
export const checkDraft = (draft: PageDraft, landingUrl: string): ReadDraft => {
  const { content, problems } = readDraft(draft);
  const isLocal = content.targetUrl !== '' && targetProblem(content.targetUrl, landingUrl) !== undefined;
  return { content, problems: isLocal ? [...problems, 'targetUrl'] : problems };
};
