import type { ImportItem, ToldOutcome } from '../../../../src/contract/imports.ts';

type Outcome = 'toCreate' | 'created' | 'existing' | 'repeated' | 'differs' | 'refused';

export interface ImportsTexts {
  readonly title: string;
  readonly intro: string;
  readonly mayNot: string;
  readonly add: string;
  readonly content: string;
  readonly subjects: Readonly<Record<ImportItem['of'], string>>;
  readonly columns: Readonly<Record<ImportItem['of'], string>>;
  readonly template: string;
  readonly files: string;
  readonly name: (id: number) => string;
  readonly list: Readonly<Record<'file' | 'state' | 'rows' | 'created' | 'refused' | 'when', string>>;
  readonly states: Readonly<Record<ImportItem['state'], string>>;
  readonly dryRun: string;
  readonly notRegistered: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly waiting: string;
  readonly waitingText: string;
  readonly checking: (done: string, rows: string) => string;
  readonly registering: (done: string, rows: string) => string;
  readonly refusedTitle: string;
  readonly chooseAgain: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly preview: string;
  readonly nothing: string;
  readonly unshared: (rows: string) => string;
  readonly emailReferences: (rows: string) => string;
  readonly differs: (rows: string) => string;
  readonly register: (what: string) => string;
  readonly started: string;
  readonly showImport: (id: number) => string;
  readonly showDryRun: string;
  readonly rows: {
    readonly title: string;
    readonly show: string;
    readonly kinds: Readonly<Record<ToldOutcome, string>>;
    readonly line: string;
    readonly reference: Readonly<Record<ImportItem['of'], string>>;
    readonly noReference: string;
    readonly message: string;
    readonly download: string;
    readonly downloadAll: string;
    readonly none: string;
  };
}

export const importsEn: ImportsTexts = {
  title: 'Imports',
  intro: 'Register sales or clients from a file. You see what would happen before anything is registered.',
  mayNot: 'Your role may see imports, but not send files. Ask an operator.',
  add: 'New import',
  content: 'Content',
  subjects: { conversion: 'Sales', client: 'Clients' },
  columns: {
    conversion:
      'Required columns: conversionExternalReference, amount, currency, and clientExternalReference or email.',
    client: 'Required column: leadReference. With externalReference, sales can name the client.',
  },
  template: 'Download a template',
  files: 'Files',
  name: (id) => `Import ${id}`,
  list: {
    file: 'File',
    state: 'State',
    rows: 'Rows',
    created: 'New',
    refused: 'To correct',
    when: 'Sent',
  },
  states: { pending: 'Waiting', running: 'Running', done: 'Done', refused: 'Not readable', failed: 'Failed' },
  dryRun: 'Dry run',
  notRegistered: 'Not registered yet',
  emptyTitle: 'No files yet',
  empty: 'Choose a CSV file above. Files that your backend imports through the API appear here as well.',
  waiting: 'Waiting for its turn',
  waitingText: 'Files of an account are processed one after the other. You can leave this page.',
  checking: (done, rows) => `Checking: ${done} of ${rows} rows`,
  registering: (done, rows) => `Registering: ${done} of ${rows} rows`,
  chooseAgain: 'Choose the corrected file',
  refusedTitle: 'The file cannot be read, and nothing was registered',
  outcomes: {
    toCreate: 'Would be registered',
    created: 'Registered',
    existing: 'Registered before',
    repeated: 'Registered before, alike',
    differs: 'Registered before, differently',
    refused: 'Refused',
  },
  preview: 'This was a dry run: nothing is registered yet. Check the counts, then register the rows.',
  nothing: 'This was a dry run, and none of its rows would be registered. Correct the file, then send it again.',
  unshared: (rows) =>
    `${rows} are of visitors who refused to share their data: they are registered, and no platform is told.`,
  emailReferences: (rows) =>
    `${rows} have an email as a reference. More people see references than emails: send an id of yours.`,
  differs: (rows) =>
    `${rows} have a reference that is registered with another amount, currency or client. The registered ones stay as they are.`,
  register: (what) => `Register ${what}`,
  started: 'Registration started. You can leave this page.',
  showImport: (id) => `Registered as import ${id}`,
  showDryRun: 'Show the dry run',
  rows: {
    title: 'Rows to look at',
    show: 'Show',
    kinds: { refused: 'Refused', differs: 'Registered differently', created: 'Too old for a platform' },
    line: 'Line',
    reference: { conversion: 'Sale', client: 'Client' },
    noReference: 'no reference',
    message: 'Reason',
    download: 'Download these rows',
    downloadAll: 'Download all rows',
    none: 'No row was refused, and none needs your attention.',
  },
};
