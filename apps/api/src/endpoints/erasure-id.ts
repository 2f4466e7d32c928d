import { z } from 'zod';

export const exampleErasureId = 'b5RdF0eNs8ItC4hVx2PqWy';

const expected = { error: 'expected the id of an erasure: 22 letters and digits' };

export const erasureId = z
  .string(expected)
  .regex(/^[0-9A-Za-z]{22}$/, expected)
  .meta({ param: { description: 'The id that `POST /client/erasure` returned.', example: exampleErasureId } });
