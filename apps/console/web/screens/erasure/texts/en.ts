import type { AskedErasure, StartedErasure } from '../../../../src/contract/erasures.ts';

export interface ErasureTexts {
  readonly title: string;
  readonly intro: string;
  readonly formTitle: string;
  readonly by: string;
  readonly bys: Readonly<Record<StartedErasure['by'], string>>;
  readonly emailField: string;
  readonly emailHint: string;
  readonly referenceField: string;
  readonly referenceHint: string;
  readonly count: string;
  readonly nobodyTitle: string;
  readonly nobody: string;
  readonly foundTitle: string;
  readonly erased: string;
  readonly stays: string;
  readonly liveClients: string;
  readonly testClients: string;
  readonly leads: string;
  readonly importedRows: string;
  readonly countedLater: string;
  readonly conversions: string;
  readonly pendingFeedback: string;
  readonly elsewhere: string;
  readonly erase: string;
  readonly dialogTitle: string;
  readonly dialogText: string;
  readonly typeEmail: string;
  readonly typeReference: string;
  readonly confirm: string;
  readonly startedToast: string;
  readonly doneToast: string;
  readonly nobodyToast: string;
  readonly startedTitle: string;
  readonly states: Readonly<Record<StartedErasure['state'], string>>;
  readonly stateTexts: Readonly<Record<StartedErasure['state'], string>>;
  readonly startedBy: (actor: string) => string;
  readonly askedTitle: string;
  readonly askedIntro: string;
  readonly askedBadge: string;
  readonly lapses: string;
  readonly ways: Readonly<Record<AskedErasure['way'], string>>;
  readonly askedDialogText: string;
  readonly receipts: string;
  readonly receiptsEmptyTitle: string;
  readonly receiptsEmpty: string;
  readonly receipt: (id: string) => string;
  readonly columns: Readonly<Record<'receipt' | 'at' | 'actor' | 'erased' | 'kept' | 'download', string>>;
  readonly erasedOf: (clients: string, leads: string, rows: string) => string;
  readonly keptOf: (conversions: string) => string;
  readonly download: string;
  readonly allow: string;
  readonly allowed: string;
}

export const erasureEn: ErasureTexts = {
  title: 'Erasure',
  intro: 'Erase the personal data of one person from this account, live and test, for good.',
  formTitle: 'Who asks to be erased?',
  by: 'Find by',
  bys: { email: 'Email', reference: 'Client reference', lead: 'Lead reference' },
  emailField: 'Email of the person',
  emailHint: 'Also finds visitors who only entered it on a landing page.',
  referenceField: 'External reference of the client',
  referenceHint: 'As your backend registered it.',
  count: 'Count what is erased',
  nobodyTitle: 'Nobody was found',
  nobody:
    'This account has no personal data under this name. Check the spelling and the account. A person who was erased before is not found again: look at the receipts below.',
  foundTitle: 'What happens to this person',
  erased: 'Erased',
  stays: 'Stays',
  liveClients: 'Live clients',
  testClients: 'Test clients',
  leads: 'Leads with their click ids',
  importedRows: 'Rows of imported files',
  countedLater: 'too many to count now; all are read',
  conversions: 'Conversions: amount, day and order id',
  pendingFeedback: 'Pending deliveries that will be skipped',
  elsewhere:
    'What was delivered to platforms stays there: ask for erasure at the platforms too. Backups keep the data until they expire.',
  erase: 'Erase…',
  dialogTitle: 'Erase for good?',
  dialogText: 'This cannot be undone. The person can no longer be found by email or reference.',
  typeEmail: 'Type the email to confirm',
  typeReference: 'Type the reference to confirm',
  confirm: 'Erase for good',
  startedToast: 'Erasure started.',
  doneToast: 'Erased. The receipt is in the list.',
  nobodyToast: 'Nothing was erased: nobody was found. The receipt says so.',
  startedTitle: 'Requests',
  states: { pending: 'In progress', failed: 'Failed' },
  stateTexts: {
    pending: 'It goes on without this page.',
    failed: 'Internal error: nothing was erased. Start it again; if it fails again, give support its number.',
  },
  startedBy: (email) => `by ${email}`,
  askedTitle: 'Asked for by visitors',
  askedIntro:
    'You decide. Make sure that the lead is of the person who asks you, then erase it. What you do not erase in 30 days is forgotten.',
  askedBadge: 'Asked',
  lapses: '· you have until',
  ways: {
    reference: 'The visitor had only the lead reference, which goes through URLs. Nothing is erased yet.',
    cookie:
      'The browser left this lead, and its data are erased. Several clients came from it: they may be several persons.',
  },
  askedDialogText:
    'The lead with this reference and all its clients are erased. This cannot be undone. Sales stay as amounts without a person.',
  receipts: 'Receipts',
  receiptsEmptyTitle: 'No receipts yet',
  receiptsEmpty:
    'Each erasure leaves a receipt here, without personal data: what was erased, how much, when and by whom.',
  receipt: (id) => `Receipt ${id}`,
  columns: { receipt: 'Receipt', at: 'When', actor: 'By', erased: 'Erased', kept: 'Stays', download: 'Download' },
  erasedOf: (clients, leads, rows) => `clients: ${clients} · leads: ${leads} · imported rows: ${rows}`,
  keptOf: (conversions) => `conversions: ${conversions}`,
  download: 'Download',
  allow: 'Allow again',
  allowed: 'The account may register this person again.',
};
