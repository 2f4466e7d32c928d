import type { VisitorTexts } from './visitor-texts.ts';

export const visitorEn: VisitorTexts = {
  title: 'Your data',
  intro: 'What is stored of your clicks on pages of this site, and which platforms were told of them.',
  nothing: 'This browser has left no click here.',
  buffered: 'This click is still being recorded. You can already withdraw consent, or erase it.',
  labels: {
    clicked: 'Clicked on',
    advertiser: 'Advertiser',
    campaign: 'Campaign',
    consent: 'Consent',
    signal: 'Browser signal',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    address: 'IP address',
    told: 'Platforms told',
    reference: 'Lead reference',
  },
  consents: {
    given: 'Given',
    refused: 'Refused',
    unpersonalised: 'Refused for personalised advertising',
    unasked: 'Not asked',
  },
  withdrawnOn: (time) => `Withdrawn on ${time}: nothing more is sent`,
  signalSent: 'Global Privacy Control',
  toldNobody: 'None',
  toldOn: (platform, time) => `${platform}: last on ${time}`,
  withdraw: 'Withdraw consent',
  erase: 'Erase this data',
  lookUpTitle: 'Look up another click',
  lookUpHint: 'The 22 characters after serviceId= in the address of the page that you reached.',
  lookUp: 'Show',
  all: 'All clicks of this browser',
  messages: {
    notFound:
      'No click has this reference. Check it: capitals matter. A click of the last minutes may not be recorded yet.',
    expired:
      'Nothing was changed: that form was open for more than 30 minutes, or is not from this page. Please try again.',
    withdrawn:
      'Consent is withdrawn: platforms are told nothing more of this click. What is being sent now may still arrive within two minutes.',
  },
  confirm: {
    title: 'Erase this data?',
    text: 'Contact data, IP address, browser and click ids of this click are deleted, and those of the customer whom the advertiser registered from it. Sales stay as amounts without a person. This cannot be undone.',
    yes: 'Erase now',
    no: 'Keep it',
  },
  asked: {
    title: 'Your data are being erased',
    text: 'This takes a minute. The receipt says what was erased, what stays, and which platforms had been told. Keep its address: it is shown only here.',
    link: 'Receipt',
  },
  receipt: {
    title: 'Receipt of an erasure',
    states: {
      pending: 'The erasure is in progress. Reload this page in a minute.',
      done: 'The data are erased.',
      failed: 'The erasure has failed. The operator of this site has to look at it.',
    },
    isSigned: 'The signature is right: this receipt was issued here and is unchanged.',
    isNotSigned: 'The signature is wrong: do not rely on this receipt.',
    labels: {
      id: 'Receipt',
      askedBy: 'Asked for by',
      requested: 'Asked for on',
      finished: 'Finished on',
      key: 'Key',
      signature: 'Signature (Ed25519)',
    },
    askers: { visitor: 'the visitor', partner: 'the advertiser', operator: 'the operator', console: 'the advertiser' },
    signedText: 'The signed text',
  },
  tooMany: { title: 'Too many requests', text: 'Please come back in a minute.' },
  notNow: {
    title: 'Not available now',
    text: 'Your data cannot be shown or changed at the moment. Please come back in five minutes.',
  },
};
