/** A file that cannot be read as CSV. The message names the line and the fix, and never quotes a cell. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem';
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}
