import type { PlatformTexts } from '../texts.ts';

export const linkedinTexts: PlatformTexts = {
  en: {
    needed: 'You need a conversion rule with "Conversions API" as its source, and an access token.',
    fields: {
      conversionRuleId: {
        label: 'Conversion rule id',
        help: 'Campaign Manager → Measurement → Conversion tracking → the rule with "Conversions API" as its source: in its URL.',
      },
      leadConversionRuleId: { label: 'Lead conversion rule id', help: 'Another rule with that source, for leads.' },
      clientId: { label: 'Client id', help: 'developers.linkedin.com → your app with the Advertising API → Auth.' },
      clientSecret: { label: 'Client secret', help: 'Beside the client id.' },
      refreshToken: {
        label: 'Refresh token',
        help: 'With the scope rw_conversions. It lasts a year; LinkedIn gives it to approved apps only.',
      },
      accessToken: {
        label: 'Access token',
        help: 'With the scope rw_conversions, of a member who manages the ad account. It lasts 60 days.',
      },
    },
  },
  es: {
    needed: 'Necesitas una regla de conversión con «Conversions API» como origen y un token de acceso.',
    fields: {
      conversionRuleId: {
        label: 'Id de la regla de conversión',
        help: 'Campaign Manager → Medición → Seguimiento de conversiones → la regla con origen «Conversions API»: en su URL.',
      },
      leadConversionRuleId: {
        label: 'Id de la regla de conversión para leads',
        help: 'Otra regla con ese origen, para leads.',
      },
      clientId: { label: 'Id de cliente', help: 'developers.linkedin.com → tu app con la Advertising API → Auth.' },
      clientSecret: { label: 'Secreto del cliente', help: 'Junto al id de cliente.' },
      refreshToken: {
        label: 'Token de actualización',
        help: 'Con el alcance rw_conversions. Dura un año; LinkedIn lo da solo a apps aprobadas.',
      },
      accessToken: {
        label: 'Token de acceso',
        help: 'Con el alcance rw_conversions, de un miembro que administra la cuenta publicitaria. Dura 60 días.',
      },
    },
  },
  pt: {
    needed: 'Você precisa de uma regra de conversão com "Conversions API" como origem e de um token de acesso.',
    fields: {
      conversionRuleId: {
        label: 'Id da regra de conversão',
        help: 'Campaign Manager → Mensuração → Acompanhamento de conversões → a regra com origem "Conversions API": na URL.',
      },
      leadConversionRuleId: {
        label: 'Id da regra de conversão para leads',
        help: 'Outra regra com essa origem, para leads.',
      },
      clientId: { label: 'Id do cliente', help: 'developers.linkedin.com → seu app com a Advertising API → Auth.' },
      clientSecret: { label: 'Segredo do cliente', help: 'Ao lado do id do cliente.' },
      refreshToken: {
        label: 'Token de atualização',
        help: 'Com o escopo rw_conversions. Dura um ano; o LinkedIn o dá só a apps aprovados.',
      },
      accessToken: {
        label: 'Token de acesso',
        help: 'Com o escopo rw_conversions, de um membro que gerencia a conta de anúncios. Dura 60 dias.',
      },
    },
  },
};
