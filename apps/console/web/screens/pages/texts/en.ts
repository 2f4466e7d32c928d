import type { DraftField, PageDraft, PageProblem } from '../../../../src/contract/pages.ts';

export interface PagesTexts {
  readonly title: string;
  readonly intro: string;
  readonly find: string;
  readonly columns: Readonly<Record<'page' | 'url' | 'isOn' | 'leads' | 'changed', string>>;
  readonly isOn: (slug: string) => string;
  readonly on: string;
  readonly off: string;
  readonly switchedOn: (slug: string) => string;
  readonly switchedOff: (slug: string) => string;
  readonly undo: string;
  readonly direct: string;
  readonly url: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly noneFound: string;
  readonly hasMore: (count: string) => string;
  readonly targetChanged: (slug: string, before: string, after: string, day: string) => string;
  readonly newPage: string;
  readonly newPageIntro: string;
  readonly create: string;
  readonly created: (slug: string) => string;
  readonly slug: string;
  readonly slugHint: (url: string) => string;
  readonly slugTaken: string;
  readonly all: string;
  readonly open: string;
  readonly openPreview: string;
  readonly readOnly: string;
  readonly edit: string;
  readonly preview: string;
  readonly views: string;
  readonly previewHint: string;
  readonly previewDirect: string;
  readonly previewDirectText: (url: string) => string;
  readonly groups: Readonly<Record<'target' | 'content' | 'look' | 'form' | 'privacy', string>>;
  readonly fields: Readonly<Record<DraftField, string>>;
  readonly hints: Readonly<Record<Exclude<DraftField, 'mode' | 'language'>, string>>;
  readonly problems: Readonly<Record<PageProblem, string>>;
  readonly modes: Readonly<Record<PageDraft['mode'], string>>;
  readonly scopes: Readonly<Record<PageDraft['consentScope'], string>>;
  readonly asked: Readonly<Record<PageDraft['askedFields'][number], string>>;
  readonly used: (used: string, max: string) => string;
  readonly defaultColor: string;
  readonly image: Readonly<
    Record<'upload' | 'replace' | 'remove' | 'url' | 'useUrl' | 'alt' | 'altHint' | 'uploaded', string>
  >;
  readonly imageProblems: Readonly<Record<'type' | 'size' | 'often', string>>;
  readonly imageSize: (width: number, height: number) => string;
  readonly save: string;
  readonly saved: string;
  readonly unsaved: string;
  readonly allSaved: string;
  readonly discard: string;
  readonly correct: string;
  readonly leave: Readonly<Record<'title' | 'text' | 'stay' | 'leave', string>>;
  readonly conflict: Readonly<
    Record<'title' | 'text' | 'theirs' | 'yours' | 'allTheirs' | 'allYours' | 'save' | 'choose' | 'empty', string>
  >;
  readonly conflictBy: (who: string) => string;
  readonly conflictAlso: string;
}

export const pagesEn: PagesTexts = {
  title: 'Pages',
  intro: 'What visitors see after a click on an ad, before they reach the target page.',
  find: 'Find a page',
  columns: { page: 'Page', url: 'URL', isOn: 'On', leads: 'Leads, 30 days', changed: 'Last change' },
  isOn: (slug) => `${slug} is on`,
  on: 'On',
  off: 'Off',
  switchedOn: (slug) => `${slug} is on.`,
  switchedOff: (slug) => `${slug} is off: visitors do not find it.`,
  undo: 'Undo',
  direct: 'Redirects at once',
  url: 'URL of the page',
  emptyTitle: 'No pages yet',
  empty: 'A page turns a click on an ad into a lead. Create one, and use its URL in your ads.',
  noneFound: 'No page has this in its name, heading or target. Try a shorter word.',
  hasMore: (count) => `These are the ${count} pages changed last. The command page list shows all.`,
  targetChanged: (slug, before, after, day) =>
    `Since ${day} the clicks of ${slug} go to ${after}, and no longer to ${before}. The audit log says who changed it.`,
  newPage: 'New page',
  newPageIntro: 'It is on at once. You add the content next.',
  create: 'Create page',
  created: (slug) => `${slug} was created and is on.`,
  slug: 'Name in the URL',
  slugHint: (url) => `Lower-case letters, digits and dashes. Visitors see ${url}`,
  slugTaken: 'Another page has this name. Choose another.',
  all: 'All pages',
  open: 'Open the page',
  openPreview: 'Open what is saved',
  readOnly: 'Your role may read this page, but not change it.',
  edit: 'Edit',
  preview: 'Preview',
  views: 'What is shown',
  previewHint: 'As visitors see it. Nothing is saved, and the form does not submit.',
  previewDirect: 'Visitors see no page',
  previewDirectText: (url) => `They are redirected at once to ${url}`,
  groups: {
    target: 'Where visitors go',
    content: 'Content',
    look: 'Look',
    form: 'Form',
    privacy: 'Consent and privacy',
  },
  fields: {
    targetUrl: 'Target page',
    mode: 'What a click does',
    title: 'Heading',
    text: 'Text',
    buttonLabel: 'Button',
    language: 'Language of the standard texts',
    accentColor: 'Colour of the button',
    logo: 'Logo',
    hero: 'Large image',
    askedFields: 'Ask visitors for',
    consentText: 'Consent text',
    consentScope: 'What the consent covers',
    privacyUrl: 'Privacy policy',
  },
  hints: {
    targetUrl: 'Where the button leads, with https://. Leadback adds serviceId for each visitor.',
    title: 'Empty: the standard heading.',
    text: 'Paragraphs, lists (- one), *emphasis* and **strong emphasis**.',
    buttonLabel: 'Empty: the standard label.',
    accentColor: 'Such as #1f4fd8. The text on it becomes black or white, whichever is easier to read.',
    logo: 'Above the heading.',
    hero: 'Beside the text, above it on phones.',
    askedFields: 'Visitors must fill in what you ask for. Fewer fields bring more leads.',
    consentText: 'A checkbox with this text. Empty: visitors are not asked.',
    consentScope: 'What happens for visitors who do not tick it.',
    privacyUrl: 'A link below the form.',
  },
  problems: {
    slug: 'Use lower-case letters, digits and single dashes, at most 64.',
    targetUrl: 'Enter a full URL with https://, without serviceId.',
    mode: 'Choose one.',
    title: 'At most 200 characters on one line.',
    text: 'At most 3,000 characters.',
    buttonLabel: 'At most 200 characters on one line.',
    language: 'Choose one.',
    accentColor: 'Enter a colour such as #1f4fd8.',
    logo: 'Upload an image, or enter a full URL with https://.',
    hero: 'Upload an image, or enter a full URL with https://.',
    askedFields: 'Choose from the list.',
    consentText: 'At most 1,000 characters on one line. A page that redirects at once cannot ask: remove the text.',
    consentScope: 'Choose one.',
    privacyUrl: 'Enter a full URL with https://.',
  },
  modes: { page: 'Shows this page', direct: 'Redirects at once' },
  scopes: {
    sharing: 'Sharing: nothing is sent to the platforms',
    personalisation: 'Personalisation: events are sent for measurement only',
  },
  asked: { name: 'Name', email: 'Email', phone: 'Phone' },
  used: (used, max) => `${used} of ${max} characters`,
  defaultColor: 'Standard colour',
  image: {
    upload: 'Upload an image',
    replace: 'Replace',
    remove: 'Remove',
    url: 'URL of the image',
    useUrl: 'Use a URL',
    alt: 'Alternative text',
    altHint: 'What the image shows, for people who do not see it. Empty if it only decorates.',
    uploaded: 'Uploaded image',
  },
  imageProblems: {
    type: 'This is no image that pages can show. Choose a PNG, JPEG, GIF, WebP or AVIF.',
    size: 'This image is larger than 512 KiB. Make it smaller: large images are slow on phones.',
    often: 'You have uploaded many images. Wait a minute, then try again.',
  },
  imageSize: (width, height) => `${width} × ${height} pixels`,
  save: 'Save',
  saved: 'Saved. Visitors see it within seconds.',
  unsaved: 'Unsaved changes',
  allSaved: 'Everything is saved',
  discard: 'Discard',
  correct: 'Correct the marked fields, then save.',
  leave: {
    title: 'Leave without saving?',
    text: 'Your changes to this page are not saved.',
    stay: 'Stay here',
    leave: 'Leave without saving',
  },
  conflict: {
    title: 'This page has changed meanwhile',
    text: 'Nothing of yours was saved yet. Choose for each field which one stays.',
    theirs: 'Theirs',
    yours: 'Yours',
    allTheirs: 'Take all of theirs',
    allYours: 'Keep all of yours',
    save: 'Save this choice',
    choose: 'Choose one for each field.',
    empty: 'empty',
  },
  conflictBy: (who) => `Changed by ${who}.`,
  conflictAlso: 'What only you changed stays as you wrote it.',
};
