// The forms in which shops write JSON: a signature is of the bytes, and who compares strings of a body has to parse it first.

declare global {
  interface JSON {
    /** The text as it stands, in the result of `stringify`. TypeScript's library does not have it yet. */
    rawJSON(text: string): object;
  }
}

/** An id of digits as a JSON number, whose digits JavaScript would lose beyond 2^53; another id as text. */
export const idNumber = (id: string): object | string => (/^(?:0|[1-9]\d*)$/.test(id) ? JSON.rawJSON(id) : id);

/** As PHP does: slashes and all characters beyond ASCII are escaped. */
export const phpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const unsafeInHtml = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e', '/': '\\/' } as const;

/** As Shopify does: what may mean something in HTML is escaped. */
export const railsJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('&', unsafeInHtml['&'])
    .replaceAll('<', unsafeInHtml['<'])
    .replaceAll('>', unsafeInHtml['>'])
    .replaceAll('/', unsafeInHtml['/']);
