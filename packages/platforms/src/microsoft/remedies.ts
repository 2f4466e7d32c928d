import type { Remedy, Words } from '../exchange.ts';

export const login: Remedy = {
  words: {
    en: 'Microsoft rejects the credentials: the developer token is not valid for production, or the user who signed in has no access to Microsoft Advertising or must use another kind of account. Check the developer token at developers.ads.microsoft.com, and sign in again with the scope https://ads.microsoft.com/msads.manage.',
    es: 'Microsoft rechaza las credenciales: el token de desarrollador no vale para producción, o el usuario que inició sesión no tiene acceso a Microsoft Advertising o debe usar otro tipo de cuenta. Revisa el token de desarrollador en developers.ads.microsoft.com y vuelve a iniciar sesión con el alcance https://ads.microsoft.com/msads.manage.',
    pt: 'A Microsoft rejeita as credenciais: o token de desenvolvedor não vale para produção, ou o usuário que entrou não tem acesso ao Microsoft Advertising ou precisa usar outro tipo de conta. Verifique o token de desenvolvedor em developers.ads.microsoft.com e entre de novo com o escopo https://ads.microsoft.com/msads.manage.',
  },
  change: ['developerToken', 'refreshToken'],
};
export const access: Remedy = {
  words: {
    en: 'The user who granted the refresh token may not use this account. Compare both ids with the URL of Microsoft Advertising (cid, aid), and grant the user access to the account (Settings, Account access).',
    es: 'El usuario que autorizó el token de actualización no tiene permiso para usar esta cuenta. Compara ambos ids con la URL de Microsoft Advertising (cid, aid) y da al usuario acceso a la cuenta (Settings, Account access).',
    pt: 'O usuário que autorizou o token de atualização não tem permissão para usar esta conta. Compare os dois ids com a URL do Microsoft Advertising (cid, aid) e dê ao usuário acesso à conta (Settings, Account access).',
  },
  change: ['customerId', 'adAccountId', 'refreshToken'],
};
export const goal: Remedy = {
  words: {
    en: 'There is no conversion goal of this name that takes offline conversions. Create one in Microsoft Advertising (Conversions, Conversion goals, Offline conversions), and set its exact name.',
    es: 'No hay ningún objetivo de conversión con este nombre que acepte conversiones sin conexión. Crea uno en Microsoft Advertising (Conversiones, Objetivos de conversión, Conversiones sin conexión) e ingresa su nombre exacto.',
    pt: 'Não há meta de conversão com este nome que aceite conversões offline. Crie uma no Microsoft Advertising (Conversões, Metas de conversão, Conversões offline) e informe o nome exato.',
  },
  change: ['conversionName'],
};
export const feature: Remedy = {
  words: {
    en: 'Microsoft Advertising has not enabled offline conversions for this customer. Ask its support to enable them.',
    es: 'Microsoft Advertising no habilitó las conversiones sin conexión para este cliente. Pide a su soporte que las habilite.',
    pt: 'O Microsoft Advertising não ativou as conversões offline para este cliente. Peça ao suporte deles que as ative.',
  },
  change: [],
};
export const version: Remedy = {
  words: {
    en: 'Microsoft has retired the version of the API that this release uses. The credentials are valid. Upgrade Leadback.',
    es: 'Microsoft retiró la versión de la API que usa esta instalación. Las credenciales son válidas. Actualiza Leadback.',
    pt: 'A Microsoft desativou a versão da API que esta instalação usa. As credenciais são válidas. Atualize o Leadback.',
  },
  change: [],
};
export const signIn: Remedy = {
  words: {
    en: 'The refresh token has expired (it lasts 90 days without a delivery), was revoked, for example by a password change, or lacks consent. Sign in again with the scopes https://ads.microsoft.com/msads.manage and offline_access.',
    es: 'El token de actualización caducó (dura 90 días sin entregas), fue revocado, por ejemplo por un cambio de contraseña, o le falta el consentimiento. Vuelve a iniciar sesión con los alcances https://ads.microsoft.com/msads.manage y offline_access.',
    pt: 'O token de atualização expirou (dura 90 dias sem entregas), foi revogado, por exemplo por uma troca de senha, ou falta o consentimento. Entre de novo com os escopos https://ads.microsoft.com/msads.manage e offline_access.',
  },
  change: ['refreshToken'],
};
export const app: Remedy = {
  words: {
    en: 'The app or its secret is not valid, or the refresh token was issued to another app. Compare all three with the app in Microsoft Entra (App registrations).',
    es: 'La aplicación o su secreto no son válidos, o el token de actualización se emitió para otra aplicación. Compara los tres con la aplicación en Microsoft Entra (Registros de aplicaciones).',
    pt: 'O aplicativo ou o segredo dele não é válido, ou o token de atualização foi emitido para outro aplicativo. Compare os três com o aplicativo no Microsoft Entra (Registros de aplicativo).',
  },
  change: ['clientId', 'clientSecret', 'refreshToken'],
};
export const other: Remedy = {
  words: {
    en: 'Microsoft Advertising rejects the connection for an unknown reason. Read the error message and check the account and its conversion goal.',
    es: 'Microsoft Advertising rechaza la conexión por un motivo desconocido. Lee el mensaje de error y revisa la cuenta y su objetivo de conversión.',
    pt: 'O Microsoft Advertising rejeita a conexão por um motivo desconhecido. Leia a mensagem de erro e verifique a conta e a meta de conversão.',
  },
  change: ['customerId', 'adAccountId', 'conversionName'],
};

export const checkWithoutClick: Words = {
  en: 'The check has no click id, and the conversion goal takes no conversion without one. Conversions with a click id are accepted. To report the others by email and phone number too, turn on enhanced conversions for the goal.',
  es: 'La prueba no tiene id de clic, y el objetivo de conversión no acepta conversiones sin él. Las conversiones con id de clic se aceptan. Para informar también las demás por correo y teléfono, activa las conversiones mejoradas del objetivo.',
  pt: 'O teste não tem id de clique, e a meta de conversão não aceita conversões sem ele. Conversões com id de clique são aceitas. Para informar também as outras por email e telefone, ative as conversões otimizadas da meta.',
};
