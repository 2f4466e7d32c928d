export interface FilesTexts {
  readonly drop: string;
  readonly limits: string;
  readonly problems: Readonly<Record<'tooLarge' | 'empty' | 'spreadsheet', string>>;
  readonly sending: (share: string) => string;
  readonly storing: string;
  readonly progress: string;
  readonly stay: string;
  readonly mode: string;
  readonly live: string;
  readonly test: string;
  readonly by: (person: string) => string;
  readonly byKey: string;
  readonly leave: string;
  readonly tooOld: (rows: string, platform: string) => string;
}

export const filesEn: FilesTexts = {
  drop: 'Drop a CSV file here, or choose one',
  limits: 'UTF-8, with a header, separated by , or ; · up to 50 MiB and 500,000 rows',
  problems: {
    tooLarge: 'The file is larger than 50 MiB. Split it, then choose the parts one after the other.',
    empty: 'The file is empty.',
    spreadsheet: 'This is a spreadsheet. Save it as “CSV UTF-8”, then choose that file.',
  },
  sending: (share) => `${share} sent`,
  storing: 'Storing the rows…',
  progress: 'Upload',
  stay: 'Stay on this page until the file is stored.',
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  by: (person) => `by ${person}`,
  byKey: 'by an API key',
  leave: 'You can leave this page: the work goes on.',
  tooOld: (rows, platform) =>
    `${rows} occurred too long ago for ${platform}: they are registered, and ${platform} is not told.`,
};
