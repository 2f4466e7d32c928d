import type { PlatformTexts } from '../texts.ts';

export const microsoftTexts: PlatformTexts = {
  en: {
    needed: 'You need a goal of the type "Offline conversions", a developer token and an app in Microsoft Entra.',
    fields: {
      customerId: { label: 'Customer id', help: 'Microsoft Advertising: cid in the URL.' },
      adAccountId: { label: 'Ad account id', help: 'Microsoft Advertising: aid in the URL.' },
      conversionName: {
        label: 'Goal for conversions',
        help: 'The name of the goal, of the type "Offline conversions". A new goal takes conversions after two hours.',
      },
      leadConversionName: { label: 'Goal for leads', help: 'The name of another goal of that type.' },
      developerToken: { label: 'Developer token', help: 'developers.ads.microsoft.com → Account.' },
      clientId: {
        label: 'Application id',
        help: 'Microsoft Entra → App registrations → a web app for any organization and personal accounts.',
      },
      clientSecret: { label: 'Client secret', help: 'Microsoft Entra → the app → Certificates and secrets.' },
      refreshToken: {
        label: 'Refresh token',
        help: 'With the scopes https://ads.microsoft.com/msads.manage and offline_access. It lasts 90 days.',
      },
    },
  },
  es: {
    needed:
      'Necesitas un objetivo del tipo «Conversiones sin conexión», un token de desarrollador y una aplicación en Microsoft Entra.',
    fields: {
      customerId: { label: 'Id de cliente', help: 'Microsoft Advertising: cid en la URL.' },
      adAccountId: { label: 'Id de la cuenta publicitaria', help: 'Microsoft Advertising: aid en la URL.' },
      conversionName: {
        label: 'Objetivo para conversiones',
        help: 'El nombre del objetivo, del tipo «Conversiones sin conexión». Un objetivo nuevo acepta conversiones después de dos horas.',
      },
      leadConversionName: { label: 'Objetivo para leads', help: 'El nombre de otro objetivo de ese tipo.' },
      developerToken: { label: 'Token de desarrollador', help: 'developers.ads.microsoft.com → Account.' },
      clientId: {
        label: 'Id de aplicación',
        help: 'Microsoft Entra → Registros de aplicaciones → una aplicación web para cualquier organización y cuentas personales.',
      },
      clientSecret: {
        label: 'Secreto del cliente',
        help: 'Microsoft Entra → la aplicación → Certificados y secretos.',
      },
      refreshToken: {
        label: 'Token de actualización',
        help: 'Con los alcances https://ads.microsoft.com/msads.manage y offline_access. Dura 90 días.',
      },
    },
  },
  pt: {
    needed:
      'Você precisa de uma meta do tipo "Conversões offline", de um token de desenvolvedor e de um aplicativo no Microsoft Entra.',
    fields: {
      customerId: { label: 'Id do cliente', help: 'Microsoft Advertising: cid na URL.' },
      adAccountId: { label: 'Id da conta de anúncios', help: 'Microsoft Advertising: aid na URL.' },
      conversionName: {
        label: 'Meta para conversões',
        help: 'O nome da meta, do tipo "Conversões offline". Uma meta nova aceita conversões depois de duas horas.',
      },
      leadConversionName: { label: 'Meta para leads', help: 'O nome de outra meta desse tipo.' },
      developerToken: { label: 'Token de desenvolvedor', help: 'developers.ads.microsoft.com → Account.' },
      clientId: {
        label: 'Id do aplicativo',
        help: 'Microsoft Entra → Registros de aplicativo → um aplicativo web para qualquer organização e contas pessoais.',
      },
      clientSecret: { label: 'Segredo do cliente', help: 'Microsoft Entra → o aplicativo → Certificados e segredos.' },
      refreshToken: {
        label: 'Token de atualização',
        help: 'Com os escopos https://ads.microsoft.com/msads.manage e offline_access. Dura 90 dias.',
      },
    },
  },
};
