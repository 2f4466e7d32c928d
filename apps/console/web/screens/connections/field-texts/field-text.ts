export interface FieldText {
  readonly label: string;
  /** What it is and where to find it. */
  readonly help: string;
}

/** By `<platform>.<field>`, or by the field for those that mean the same at several platforms. */
export type FieldTexts = Readonly<Record<string, FieldText>>;
