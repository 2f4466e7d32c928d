import markdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

// paragraphs, line breaks, lists and emphasis; no HTML, no links, no images
const markdown = markdownIt('zero', { breaks: true }).enable(['emphasis', 'list', 'newline', 'escape']);

const allowed = { allowedTags: ['p', 'br', 'ul', 'ol', 'li', 'em', 'strong'], allowedAttributes: {} };

/** Renders the operator's text as HTML, and sanitizes the result in case the renderer lets markup through. */
export const renderPageText = (text: string): string => sanitizeHtml(markdown.render(text), allowed);
