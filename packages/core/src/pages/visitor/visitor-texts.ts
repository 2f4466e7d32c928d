import type { ErasureAsker, ErasureState } from '@leadback/domain';
import type { Notice } from '../render/page-messages.ts';

/** The texts of the pages on which visitors see and erase their data. */
export interface VisitorTexts {
  readonly title: string;
  readonly intro: string;
  readonly nothing: string;
  readonly buffered: string;
  readonly labels: Readonly<
    Record<
      | 'clicked'
      | 'advertiser'
      | 'campaign'
      | 'consent'
      | 'signal'
      | 'name'
      | 'email'
      | 'phone'
      | 'address'
      | 'registered'
      | 'told'
      | 'reference',
      string
    >
  >;
  readonly consents: Readonly<Record<'given' | 'refused' | 'unpersonalised' | 'unasked', string>>;
  readonly withdrawnOn: (time: string) => string;
  readonly signalSent: string;
  readonly sentToNobody: string;
  readonly sentOn: (platform: string, time: string) => string;
  readonly withdraw: string;
  readonly erase: string;
  /** Of a lead that the browser did not leave. */
  readonly ask: string;
  readonly foreign: string;
  readonly lookUpTitle: string;
  readonly lookUpHint: string;
  readonly lookUp: string;
  readonly all: string;
  readonly messages: Readonly<Record<VisitorMessage, string>>;
  readonly questions: Readonly<
    Record<
      VisitorQuestion,
      { readonly title: string; readonly text: string; readonly yes: string; readonly no: string }
    >
  >;
  readonly asked: AskedTexts;
  /** The account decides. */
  readonly askedAccount: AskedTexts;
  readonly receipt: ReceiptTexts;
  readonly tooMany: Notice;
  readonly tooManyOfNetwork: Notice;
  readonly notNow: Notice;
}

/** What is asked before it is done; `ask`: for an erasure on which the account decides. */
export type VisitorQuestion = 'withdraw' | 'erase' | 'ask';

interface AskedTexts {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

/** What the page says above the leads. */
export type VisitorMessage = 'notFound' | 'expired' | 'withdrawn';

export interface ReceiptTexts {
  readonly title: string;
  readonly states: Readonly<Record<ErasureState, string>>;
  readonly isSigned: string;
  readonly isNotSigned: string;
  readonly labels: Readonly<
    Record<
      | 'id'
      | 'askedBy'
      | 'requested'
      | 'finished'
      | 'erased'
      | 'kept'
      | 'told'
      | 'skipped'
      | 'notReached'
      | 'key'
      | 'signature',
      string
    >
  >;
  readonly askers: Readonly<Record<ErasureAsker, string>>;
  /** What is erased, kept or not reached. */
  readonly things: Readonly<
    Record<
      | 'clients'
      | 'leads'
      | 'keptClients'
      | 'keptLeads'
      | 'importedRows'
      | 'listedRows'
      | 'conversions'
      | 'deliveries'
      | 'metrics'
      | 'recognition'
      | 'idempotencyKeys'
      | 'auditLog'
      | 'emailsInFiles'
      | 'webhookLog'
      | 'backups'
      | 'platforms',
      string
    >
  >;
  readonly sentOn: (platform: string, events: string, time: string) => string;
  readonly nothing: string;
  readonly signedText: string;
}
