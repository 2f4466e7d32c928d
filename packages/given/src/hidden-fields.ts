const hiddenField = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

/** What the form of a landing page sends along by itself. */
export const hiddenFieldsIn = (html: string): Record<string, string> =>
  Object.fromEntries([...html.matchAll(hiddenField)].map(([, name = '', value = '']) => [name, value]));
