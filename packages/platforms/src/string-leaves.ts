/** Every string inside a value, at any depth. */
export function* stringLeaves(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringLeaves(inner);
}
