import { Refusal, type RefusalName } from '@leadback/domain';
import type { BodyReader } from './body-reader.ts';
import { rawBody } from './raw-body.ts';
import { textOnly } from './text-body.ts';

export const mediaType = 'application/json';

interface BodySize {
  readonly bytesMax: number;
  readonly tooLarge: RefusalName;
}

// invalid UTF-8 is refused: replacement characters would change names
const utf8 = new TextDecoder('utf-8', { fatal: true });

const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal('invalid-json.encoding');
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-json');
  }
};

const jsonReader = (size: BodySize, wrongType: RefusalName = 'unsupported-media-type'): BodyReader => ({
  mediaType,
  refusals: [size.tooLarge, wrongType],
  handlers: [
    textOnly(mediaType, wrongType),
    async (request, _response, next) => {
      // express.json() reads a body that is too large to its end before it refuses it
      const body = await rawBody(request, size.bytesMax, () => new Refusal(size.tooLarge));
      request.body = parsed(decoded(body));
      next();
    },
  ],
});

/** Accepts JSON in UTF-8 of at most 64 KiB. */
export const jsonBody = jsonReader({ bytesMax: 64 * 1024, tooLarge: 'body-too-large' });

/** Accepts JSON in UTF-8 of at most 1 MiB. */
export const jsonBatchBody = jsonReader({ bytesMax: 1024 * 1024, tooLarge: 'body-too-large.batch' });

/** The same, where CSV is accepted as well. */
export const jsonListBody = jsonReader(
  { bytesMax: 1024 * 1024, tooLarge: 'body-too-large.list' },
  'unsupported-media-type.list',
);
