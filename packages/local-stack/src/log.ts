/** Receives a line for each slow step. */
export type Log = (line: string) => void;
