const hiddenField = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;
const entity = /&(?:amp|quot|#39|lt|gt);/g;
const characters: Partial<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

const decoded = (text: string) => text.replace(entity, (written) => characters[written] ?? written);

/** The hidden fields that the form of a landing page sends. */
export const hiddenFieldsIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(hiddenField)].map(([, name = '', value = '']) => [decoded(name), decoded(value)]),
  );
