import type { Remedy, Words } from '../exchange.ts';

// a rejected access token does not show which kind of credentials it was issued for
const eitherKind = ['refreshToken', 'serviceAccount'];

const atGoogle = (words: Words): Remedy => ({ words, change: [] });

export const consentAgain: Remedy = {
  words: {
    en: 'The refresh token has expired or was revoked, for example by a password change. Sign in again with the scope https://www.googleapis.com/auth/datamanager. While the consent screen of the project is in "Testing", refresh tokens expire after seven days.',
    es: 'El token de actualización caducó o fue revocado, por ejemplo por un cambio de contraseña. Vuelve a iniciar sesión con el alcance https://www.googleapis.com/auth/datamanager. Mientras la pantalla de consentimiento del proyecto esté en «Testing», los tokens de actualización caducan a los siete días.',
    pt: 'O token de atualização expirou ou foi revogado, por exemplo por uma troca de senha. Entre de novo com o escopo https://www.googleapis.com/auth/datamanager. Enquanto a tela de consentimento do projeto estiver em "Testing", os tokens de atualização expiram depois de sete dias.',
  },
  change: ['refreshToken'],
};
export const accessToken: Remedy = {
  words: {
    en: 'Google issues an access token for these credentials, but rejects it for the Data Manager API. If the connection has a refresh token: sign in again with the scope https://www.googleapis.com/auth/datamanager. If it has a service account: check that the account is not disabled, and create a new key for it in the Google Cloud console (IAM, Service accounts, Keys).',
    es: 'Google emite un token de acceso para estas credenciales, pero lo rechaza en la Data Manager API. Si la conexión tiene un token de actualización: vuelve a iniciar sesión con el alcance https://www.googleapis.com/auth/datamanager. Si tiene una cuenta de servicio: revisa que no esté inhabilitada y crea una clave nueva para ella en la consola de Google Cloud (IAM, Cuentas de servicio, Claves).',
    pt: 'O Google emite um token de acesso para estas credenciais, mas o rejeita na Data Manager API. Se a conexão tem um token de atualização: entre de novo com o escopo https://www.googleapis.com/auth/datamanager. Se tem uma conta de serviço: verifique se ela não está desativada e crie uma chave nova para ela no console do Google Cloud (IAM, Contas de serviço, Chaves).',
  },
  change: [],
  credentials: eitherKind,
};
export const oauthClient: Remedy = {
  words: {
    en: 'The OAuth client or its secret is not valid, or the refresh token was issued to another client. Compare all three with the credentials page of the Google Cloud project.',
    es: 'El cliente OAuth o su secreto no son válidos, o el token de actualización se emitió para otro cliente. Compara los tres con la página de credenciales del proyecto de Google Cloud.',
    pt: 'O cliente OAuth ou o segredo dele não é válido, ou o token de atualização foi emitido para outro cliente. Compare os três com a página de credenciais do projeto do Google Cloud.',
  },
  change: ['clientId', 'clientSecret', 'refreshToken'],
};
export const serviceAccountKey: Remedy = {
  words: {
    en: 'Google rejects the service account key: the key or the service account was deleted or disabled, or the clock of this machine is wrong. Create a new key for the service account in the Google Cloud console (IAM, Service accounts, Keys).',
    es: 'Google rechaza la clave de la cuenta de servicio: la clave o la cuenta de servicio fue eliminada o inhabilitada, o el reloj de esta máquina está mal. Crea una clave nueva para la cuenta de servicio en la consola de Google Cloud (IAM, Cuentas de servicio, Claves).',
    pt: 'O Google rejeita a chave da conta de serviço: a chave ou a conta de serviço foi excluída ou desativada, ou o relógio desta máquina está errado. Crie uma chave nova para a conta de serviço no console do Google Cloud (IAM, Contas de serviço, Chaves).',
  },
  change: ['serviceAccount'],
};
export const access: Remedy = {
  words: {
    en: 'The user who granted the refresh token, or the service account, has no access to this Google Ads account. Grant access in Google Ads (Admin, Access and security; add a service account by its email address). If access exists through a manager account, set that account as loginCustomerId.',
    es: 'El usuario que autorizó el token de actualización, o la cuenta de servicio, no tiene acceso a esta cuenta de Google Ads. Da el acceso en Google Ads (Administrador, Acceso y seguridad; una cuenta de servicio se agrega por su correo). Si el acceso pasa por una cuenta de administrador, ingresa esa cuenta como cuenta de administrador de la conexión (loginCustomerId).',
    pt: 'O usuário que autorizou o token de atualização, ou a conta de serviço, não tem acesso a esta conta do Google Ads. Dê o acesso no Google Ads (Administrador, Acesso e segurança; uma conta de serviço é adicionada pelo email dela). Se o acesso passa por uma conta de administrador, informe essa conta como conta de administrador da conexão (loginCustomerId).',
  },
  change: ['customerId', 'loginCustomerId'],
  credentials: eitherKind,
};
export const account: Remedy = {
  words: {
    en: 'The Google Ads account is wrong, or this manager account has no access to it. Set the account that owns the conversion action.',
    es: 'La cuenta de Google Ads es incorrecta, o esta cuenta de administrador no tiene acceso a ella. Ingresa la cuenta dueña de la acción de conversión.',
    pt: 'A conta do Google Ads está errada, ou esta conta de administrador não tem acesso a ela. Informe a conta dona da ação de conversão.',
  },
  change: ['customerId', 'loginCustomerId'],
};
export const conversionAction: Remedy = {
  words: {
    en: 'The conversion action does not exist in this account, or is of a type that accepts no imported conversions. Create one of the type "Import from clicks", and copy its id (ctId) from its URL in Google Ads.',
    es: 'La acción de conversión no existe en esta cuenta, o es de un tipo que no acepta conversiones importadas. Crea una del tipo «Importar de clics» y copia su id (ctId) de su URL en Google Ads.',
    pt: 'A ação de conversão não existe nesta conta, ou é de um tipo que não aceita conversões importadas. Crie uma do tipo "Importar de cliques" e copie o id (ctId) da URL dela no Google Ads.',
  },
  change: ['conversionActionId'],
};
export const api = atGoogle({
  en: 'Enable the Data Manager API in the Google Cloud project of the OAuth client or the service account.',
  es: 'Habilita la Data Manager API en el proyecto de Google Cloud del cliente OAuth o de la cuenta de servicio.',
  pt: 'Ative a Data Manager API no projeto do Google Cloud do cliente OAuth ou da conta de serviço.',
});
export const allowlist = atGoogle({
  en: 'Google must allow this account to use the feature. Request it from Google support.',
  es: 'Google debe permitir que esta cuenta use la función. Pídelo al soporte de Google.',
  pt: 'O Google precisa permitir que esta conta use o recurso. Peça ao suporte do Google.',
});
export const terms = atGoogle({
  en: 'Accept the customer data terms in Google Ads (Goals, Settings).',
  es: 'Acepta las condiciones de datos de clientes en Google Ads (Objetivos, Configuración).',
  pt: 'Aceite os termos de dados do cliente no Google Ads (Metas, Configurações).',
});
export const politicalAds = atGoogle({
  en: 'Google takes no conversions of this account until it declares whether it has political ads in the European Union. Declare it in the account settings of Google Ads.',
  es: 'Google no acepta conversiones de esta cuenta hasta que declare si tiene anuncios políticos en la Unión Europea. Decláralo en la configuración de la cuenta de Google Ads.',
  pt: 'O Google não aceita conversões desta conta até que ela declare se tem anúncios políticos na União Europeia. Declare isso nas configurações da conta do Google Ads.',
});
export const link: Remedy = {
  words: {
    en: 'Google takes no conversions until two of its accounts are linked: the one that sends (customer id, login customer id) and the one that owns the conversion action. Link them in Google Ads (Admin, Linked accounts).',
    es: 'Google no acepta conversiones hasta que dos de sus cuentas estén vinculadas: la que envía (id de cliente, cuenta de administrador) y la dueña de la acción de conversión. Vincúlalas en Google Ads (Administrador, Cuentas vinculadas).',
    pt: 'O Google não aceita conversões até que duas contas estejam vinculadas: a que envia (id do cliente, conta de administrador) e a dona da ação de conversão. Vincule-as no Google Ads (Administrador, Contas vinculadas).',
  },
  change: ['customerId', 'loginCustomerId'],
};
export const eventSource: Remedy = {
  words: {
    en: 'The conversion action takes conversions of another source, such as a shop or an app, but not of the web. Create one of the type "Import from clicks", and copy its id (ctId) from its URL in Google Ads.',
    es: 'La acción de conversión acepta conversiones de otro origen, como una tienda o una app, pero no de la web. Crea una del tipo «Importar de clics» y copia su id (ctId) de su URL en Google Ads.',
    pt: 'A ação de conversão aceita conversões de outra origem, como uma loja ou um app, mas não da web. Crie uma do tipo "Importar de cliques" e copie o id (ctId) da URL dela no Google Ads.',
  },
  change: ['conversionActionId'],
};
export const advertiserConsent = atGoogle({
  en: 'The advertiser has not consented that this data is used in Google services, so Google uses no conversion of the account. Visitors and their consent are not the cause. Give the consent in the settings of the account in Google Ads, then resume the connection.',
  es: 'El anunciante no dio su consentimiento para que estos datos se usen en los servicios de Google, así que Google no usa ninguna conversión de la cuenta. La causa no son los visitantes ni su consentimiento. Da el consentimiento en la configuración de la cuenta en Google Ads y después reanuda la conexión.',
  pt: 'O anunciante não consentiu que estes dados sejam usados nos serviços do Google, por isso o Google não usa nenhuma conversão da conta. A causa não são os visitantes nem o consentimento deles. Dê o consentimento nas configurações da conta no Google Ads e depois retome a conexão.',
});
export const userData = atGoogle({
  en: 'This account may not use personal data, so only conversions with a click id can be reported. Turn on enhanced conversions for leads in Google Ads (Goals, Settings) and accept its terms.',
  es: 'Esta cuenta no puede usar datos personales, así que solo se pueden informar conversiones con id de clic. Activa las conversiones mejoradas para clientes potenciales en Google Ads (Objetivos, Configuración) y acepta sus condiciones.',
  pt: 'Esta conta não pode usar dados pessoais, por isso só é possível informar conversões com id de clique. Ative as conversões otimizadas para leads no Google Ads (Metas, Configurações) e aceite os termos.',
});
export const other: Remedy = {
  words: {
    en: 'Google rejects the connection for an unknown reason. Read the error message and check the account in Google Ads.',
    es: 'Google rechaza la conexión por un motivo desconocido. Lee el mensaje de error y revisa la cuenta en Google Ads.',
    pt: 'O Google rejeita a conexão por um motivo desconhecido. Leia a mensagem de erro e verifique a conta no Google Ads.',
  },
  change: ['customerId', 'conversionActionId'],
  credentials: eitherKind,
};
