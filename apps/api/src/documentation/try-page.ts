import type { ApiDescription, Operation } from './api-description.ts';
import { operationsOf } from './api-description.ts';
import { escapeHtml } from './markdown.ts';

export const tryPath = '/docs/try';

const intro = `<h1>Try it</h1>
<p>Sends requests from this browser to this API. Use a test key: what you send is registered. The key stays on this page until you close it.</p>
<noscript><p><strong>This page needs JavaScript.</strong> The <a href="/docs/reference">reference</a> does not.</p></noscript>
<fieldset><label for="key">API key<small>sent in the header x-api-key</small></label><input id="key" autocomplete="off" spellcheck="false"></fieldset>`;

const isFilledIn = (place: string) => place !== 'header';

const parameterField = (
  operationId: string,
  { in: place, name, required, example }: Operation['parameters'][number],
) => {
  const id = escapeHtml(`${operationId}-${name}`);
  const value = typeof example === 'string' && isFilledIn(place) ? ` value="${escapeHtml(example)}"` : '';
  const attributes = `data-in="${place}" name="${escapeHtml(name)}"${required ? ' required' : ''}${value}`;
  return `<label for="${id}">${escapeHtml(name)}<small>${place}${required ? ', required' : ''}</small></label><input id="${id}" ${attributes}>`;
};

const bodyField = ({ operationId, requestBody }: Operation): string =>
  Object.entries(requestBody?.content ?? {})
    .slice(0, 1)
    .map(([mediaType, { examples }]) => {
      const example = Object.values(examples)[0]?.value ?? '';
      const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);
      const id = `${operationId}-body`;
      return `<label for="${id}">Body<small>${escapeHtml(mediaType)}</small></label><textarea id="${id}" data-type="${escapeHtml(mediaType)}" spellcheck="false">${escapeHtml(text)}</textarea>`;
    })
    .join('');

const operationForm = (operation: Operation): string => {
  const { method, path, summary, operationId, parameters } = operation;
  const fields = parameters.map((parameter) => parameterField(operationId, parameter)).join('\n');
  return `<details class="try"><summary>${escapeHtml(summary)} <code>${method} ${escapeHtml(path)}</code></summary>
<form data-method="${method}" data-path="${escapeHtml(path)}">
${fields}
${bodyField(operation)}
<button>Send</button>
<output aria-live="polite"></output>
</form></details>`;
};

/** A form for each operation, as HTML. `tryScript` sends them. */
export const tryPage = (api: ApiDescription): string => `${intro}\n${operationsOf(api).map(operationForm).join('\n')}`;

/** Runs in the browser: sends the form of an operation and shows the response. */
export const tryScript = `
const textOf = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

const requestOf = (form) => {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { 'x-api-key': document.querySelector('#key').value.trim() };
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    if (dataset.in === 'query') query.set(name, value);
    if (dataset.in === 'header') headers[name] = value;
  }
  const body = form.querySelector('textarea');
  if (body) headers['content-type'] = body.dataset.type;
  const url = query.size === 0 ? path : path + '?' + query;
  return [url, { method: form.dataset.method, headers, ...(body && { body: body.value }) }];
};

const send = async (form) => {
  const started = performance.now();
  const response = await fetch(...requestOf(form));
  const text = await response.text();
  const ms = Math.round(performance.now() - started);
  const headers = Array.from(response.headers, ([name, value]) => name + ': ' + value).join('\\n');
  return response.status + ' ' + response.statusText + ', ' + ms + ' ms\\n' + headers + '\\n\\n' + textOf(text);
};

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const shown = document.createElement('pre');
  shown.tabIndex = 0;
  shown.textContent = 'Sending…';
  event.target.querySelector('output').replaceChildren(shown);
  shown.textContent = await send(event.target).catch((error) => 'The request failed: ' + error.message);
});
`;
