export { contentSecurityPolicy } from './content-security-policy.ts';
export { type Notice, pageMessages } from './page-messages.ts';
export { type RenderedPreview, renderPreview } from './render-preview.ts';
export { pageStyle } from './page-style.ts';
export { escapeHtml, imageSources, pageParts, renderLandingPage, renderNotice, type Shown } from './page-template.ts';
