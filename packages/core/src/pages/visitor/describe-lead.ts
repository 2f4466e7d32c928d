import type { ClickedPage, Language, VisitorData, VisitorLead } from '@leadback/domain';
import { pageMessages } from '../render/page-messages.ts';
import { maskEmail, maskName, maskPhone, shortenAddress } from './mask.ts';
import { visitorTexts } from './texts.ts';

/** A line of what the visitor sees. */
export interface Fact {
  readonly label: string;
  readonly values: readonly string[];
}

const brands: Readonly<Record<string, string>> = { linkedin: 'LinkedIn', tiktok: 'TikTok' };
export const brandOf = (platform: string): string =>
  brands[platform] ?? platform.charAt(0).toUpperCase() + platform.slice(1);

/** In UTC: the server does not know where the visitor is. */
export const timeIn = (language: Language, time: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`;

export const titleOf = ({ title }: ClickedPage, language: Language): string => title ?? pageMessages[language].title;

const consentOf = (lead: VisitorLead, language: Language): string => {
  const { consents, withdrawnOn } = visitorTexts[language];
  if (lead.consentWithdrawnAt) return withdrawnOn(timeIn(language, lead.consentWithdrawnAt));
  if (lead.consent === null) return consents.unasked;
  if (lead.consent) return consents.given;
  return lead.consentScope === 'personalisation' ? consents.unpersonalised : consents.refused;
};

/** Contact data are masked: others may use the same browser. */
const contactOf = ({ name, email, phone, ipAddress }: VisitorData, language: Language): Fact[] => {
  const { labels } = visitorTexts[language];
  const facts = [
    { label: labels.name, value: name && maskName(name) },
    { label: labels.email, value: email && maskEmail(email) },
    { label: labels.phone, value: phone && maskPhone(phone) },
    { label: labels.address, value: ipAddress && shortenAddress(ipAddress) },
  ];
  return facts.flatMap(({ label, value }) => (value ? [{ label, values: [value] }] : []));
};

const registeredOf = ({ registered }: VisitorData, language: Language): Fact[] => {
  if (registered === null) return [];
  const { name, email, phone } = registered;
  const values = [name && maskName(name), email && maskEmail(email), phone && maskPhone(phone)];
  const shown = values.filter((value): value is string => value !== null && value !== '');
  return shown.length > 0 ? [{ label: visitorTexts[language].labels.registered, values: shown }] : [];
};

const campaignCharactersMax = 100;

/** Where they clicked, of a lead that is recorded or buffered. */
export const describePage = ({ targetUrl }: ClickedPage, language: Language): Fact => ({
  label: visitorTexts[language].labels.advertiser,
  values: [new URL(targetUrl).hostname],
});

/** All that the page shows of a lead. */
export const describeLead = (lead: VisitorLead, language: Language): Fact[] => {
  const { labels, signalSent, toldNobody, toldOn } = visitorTexts[language];
  const campaign = Object.entries(lead.campaign).map(
    ([name, value]) => `${name.replace('utm_', '')}: ${value.slice(0, campaignCharactersMax)}`,
  );
  const told = lead.told.map(({ platform, at }) => toldOn(brandOf(platform), timeIn(language, at)));
  return [
    { label: labels.clicked, values: [timeIn(language, lead.clickedAt)] },
    describePage(lead, language),
    ...(campaign.length > 0 ? [{ label: labels.campaign, values: campaign }] : []),
    { label: labels.consent, values: [consentOf(lead, language)] },
    ...(lead.globalPrivacyControl ? [{ label: labels.signal, values: [signalSent] }] : []),
    ...(lead.own ? [...contactOf(lead.own, language), ...registeredOf(lead.own, language)] : []),
    { label: labels.told, values: told.length > 0 ? told : [toldNobody] },
  ];
};
