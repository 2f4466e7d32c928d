/** Says in a schema which of Google's reasons an issue stands for: the first word of the message. */
export const violation = (reason: string, description: string): string => `${reason} ${description}`;

/** As `violation`, for a field that must be there. */
export const required =
  (reason: string, description: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined
      ? violation('REQUIRED_FIELD_MISSING', 'Required field is missing.')
      : violation(reason, description);
