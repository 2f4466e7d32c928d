import type { FieldTexts } from './field-text.ts';

export const fieldsEn: FieldTexts = {
  eventName: { label: 'Event name', help: 'What your campaigns call a conversion. Default: Purchase.' },
  leadEventName: { label: 'Lead event name', help: 'What your campaigns call a lead. Default: Lead.' },
  testEventCode: {
    label: 'Test event code',
    help: 'Events Manager → Test events. Deliveries of test keys then appear there; without it they are skipped.',
  },
  'meta.pixelId': { label: 'Data set (pixel) id', help: 'Events Manager → Data sources → the data set → Settings.' },
  'meta.refundEvent': {
    label: 'Refund event',
    help: 'An event name of its own, such as Refund, for what was taken back of a sale. Without it, refunds are skipped.',
  },
  'meta.actionSource': {
    label: 'Action source',
    help: 'Where conversions take place, if it is not the website.',
  },
  'meta.accessToken': {
    label: 'Access token',
    help: 'Events Manager → the data set → Settings → Conversions API → Generate access token.',
  },
  'meta.appSecret': {
    label: 'App secret',
    help: 'developers.facebook.com → the app of the token → App settings → Basic. Only for apps that require appsecret_proof.',
  },
  'tiktok.pixelCode': { label: 'Pixel code', help: 'TikTok Events Manager → the pixel, below its name.' },
  'tiktok.accessToken': {
    label: 'Access token',
    help: 'TikTok Events Manager → the pixel → Settings → Events API → Generate access token.',
  },
  'google.customerId': {
    label: 'Customer id',
    help: 'The Google Ads account that owns the conversion action: ten digits at the top right, such as 123-456-7890.',
  },
  'google.conversionActionId': {
    label: 'Conversion action id',
    help: 'Google Ads → Goals → the conversion action, of the type "Import from clicks": ctId in its URL.',
  },
  'google.leadConversionActionId': {
    label: 'Lead conversion action id',
    help: 'Another conversion action of that type, for leads: ctId in its URL.',
  },
  'google.loginCustomerId': {
    label: 'Manager account',
    help: 'The customer id of the manager account, if access is given through one.',
  },
  'google.serviceAccount': {
    label: 'Service account key',
    help: 'Google Cloud → IAM → Service accounts → Keys → Create new key (JSON). Add its email address as a user in Google Ads.',
  },
  'google.clientId': {
    label: 'OAuth client id',
    help: 'Google Cloud → APIs and services → Credentials. The Data Manager API is enabled in the project.',
  },
  'google.clientSecret': { label: 'OAuth client secret', help: 'Beside the client id.' },
  'google.refreshToken': {
    label: 'Refresh token',
    help: 'Issued to this client, with the scope https://www.googleapis.com/auth/datamanager.',
  },
  'linkedin.conversionRuleId': {
    label: 'Conversion rule id',
    help: 'Campaign Manager → Measurement → Conversion tracking → the rule with "Conversions API" as its source: in its URL.',
  },
  'linkedin.leadConversionRuleId': {
    label: 'Lead conversion rule id',
    help: 'Another rule with that source, for leads.',
  },
  'linkedin.clientId': {
    label: 'Client id',
    help: 'developers.linkedin.com → your app with the Advertising API → Auth.',
  },
  'linkedin.clientSecret': { label: 'Client secret', help: 'Beside the client id.' },
  'linkedin.refreshToken': {
    label: 'Refresh token',
    help: 'With the scope rw_conversions. It lasts a year; LinkedIn gives it to approved apps only.',
  },
  'linkedin.accessToken': {
    label: 'Access token',
    help: 'With the scope rw_conversions, of a member who manages the ad account. It lasts 60 days.',
  },
  'microsoft.customerId': { label: 'Customer id', help: 'Microsoft Advertising: cid in the URL.' },
  'microsoft.adAccountId': { label: 'Ad account id', help: 'Microsoft Advertising: aid in the URL.' },
  'microsoft.conversionName': {
    label: 'Goal for conversions',
    help: 'The name of the goal, of the type "Offline conversions". A new goal takes conversions after two hours.',
  },
  'microsoft.leadConversionName': { label: 'Goal for leads', help: 'The name of another goal of that type.' },
  'microsoft.developerToken': { label: 'Developer token', help: 'developers.ads.microsoft.com → Account.' },
  'microsoft.clientId': {
    label: 'Application id',
    help: 'Microsoft Entra → App registrations → a web app for any organization and personal accounts.',
  },
  'microsoft.clientSecret': { label: 'Client secret', help: 'Microsoft Entra → the app → Certificates and secrets.' },
  'microsoft.refreshToken': {
    label: 'Refresh token',
    help: 'With the scopes https://ads.microsoft.com/msads.manage and offline_access. It lasts 90 days.',
  },
};
