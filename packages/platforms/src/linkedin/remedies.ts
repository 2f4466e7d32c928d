import type { Remedy } from '../exchange.ts';

const eitherKind = ['accessToken', 'refreshToken'];

export const token: Remedy = {
  words: {
    en: 'The access token is not valid: it has expired (access tokens last 60 days), was revoked, or is incomplete. Sign in again with the scope rw_conversions, as a member who manages the ad account, and enter the new token.',
    es: 'El token de acceso no es válido: caducó (dura 60 días), fue revocado o está incompleto. Vuelve a iniciar sesión con el alcance rw_conversions, como un miembro que administra la cuenta publicitaria, e ingresa el token nuevo.',
    pt: 'O token de acesso não é válido: expirou (dura 60 dias), foi revogado ou está incompleto. Entre de novo com o escopo rw_conversions, como um membro que gerencia a conta de anúncios, e informe o token novo.',
  },
  change: [],
  credentials: eitherKind,
};
export const access: Remedy = {
  words: {
    en: 'There is no conversion rule with this id, or the member of the token may not use its ad account: LinkedIn says the same for both ("No ad accounts found"). Compare the id with Campaign Manager, and check that the member is an account manager, campaign manager, creative manager or billing admin of the ad account, and that the token has the scope rw_conversions.',
    es: 'No hay ninguna regla de conversión con este id, o el miembro del token no tiene permiso para usar su cuenta publicitaria: LinkedIn dice lo mismo en ambos casos («No ad accounts found»). Compara el id con Campaign Manager, y revisa que el miembro tenga en la cuenta publicitaria el rol account manager, campaign manager, creative manager o billing admin, y que el token tenga el alcance rw_conversions.',
    pt: 'Não há regra de conversão com este id, ou o membro do token não tem permissão para usar a conta de anúncios dela: o LinkedIn diz o mesmo nos dois casos ("No ad accounts found"). Compare o id com o Campaign Manager e verifique se o membro tem na conta de anúncios a função account manager, campaign manager, creative manager ou billing admin, e se o token tem o escopo rw_conversions.',
  },
  change: ['conversionRuleId'],
  credentials: eitherKind,
};
export const method: Remedy = {
  words: {
    en: 'The conversion rule does not take events of the Conversions API. Create a conversion in Campaign Manager (Measurement, Conversion tracking) with "Conversions API" as its source, and use the id of that one.',
    es: 'La regla de conversión no acepta eventos de la Conversions API. Crea una conversión en Campaign Manager (Medición, Seguimiento de conversiones) con «Conversions API» como origen, y usa el id de esa.',
    pt: 'A regra de conversão não aceita eventos da Conversions API. Crie uma conversão no Campaign Manager (Mensuração, Acompanhamento de conversões) com "Conversions API" como origem, e use o id dela.',
  },
  change: ['conversionRuleId'],
};
export const version: Remedy = {
  words: {
    en: 'LinkedIn has retired the version of the API that this installation uses. The credentials are valid. Upgrade Leadback.',
    es: 'LinkedIn retiró la versión de la API que usa esta instalación. Las credenciales son válidas. Actualiza Leadback.',
    pt: 'O LinkedIn desativou a versão da API que esta instalação usa. As credenciais são válidas. Atualize o Leadback.',
  },
  change: [],
};
export const app: Remedy = {
  words: {
    en: 'The app or its secret is not valid, or the refresh token was issued to another app. Compare all three with the app at developers.linkedin.com.',
    es: 'La app o su secreto no son válidos, o el token de actualización se emitió para otra app. Compara los tres con la app en developers.linkedin.com.',
    pt: 'O app ou o segredo dele não é válido, ou o token de atualização foi emitido para outro app. Compare os três com o app em developers.linkedin.com.',
  },
  change: ['clientId', 'clientSecret', 'refreshToken'],
};
export const signIn: Remedy = {
  words: {
    en: 'The refresh token has expired (it lasts a year) or was revoked. Sign in again with the scope rw_conversions, as a member who manages the ad account.',
    es: 'El token de actualización caducó (dura un año) o fue revocado. Vuelve a iniciar sesión con el alcance rw_conversions, como un miembro que administra la cuenta publicitaria.',
    pt: 'O token de atualização expirou (dura um ano) ou foi revogado. Entre de novo com o escopo rw_conversions, como um membro que gerencia a conta de anúncios.',
  },
  change: ['refreshToken'],
};
export const disabled: Remedy = {
  words: {
    en: 'LinkedIn says that something this connection uses is disabled: the conversion rule, or its ad account. Switch it on in Campaign Manager, or use the id of another conversion rule.',
    es: 'LinkedIn dice que algo que usa esta conexión está desactivado: la regla de conversión o su cuenta publicitaria. Actívala en Campaign Manager, o usa el id de otra regla de conversión.',
    pt: 'O LinkedIn diz que algo que esta conexão usa está desativado: a regra de conversão ou a conta de anúncios dela. Ative-a no Campaign Manager, ou use o id de outra regra de conversão.',
  },
  change: ['conversionRuleId'],
};
export const other: Remedy = {
  words: {
    en: 'LinkedIn rejects the connection for an unknown reason. Read the error message and check the conversion rule in Campaign Manager.',
    es: 'LinkedIn rechaza la conexión por un motivo desconocido. Lee el mensaje de error y revisa la regla de conversión en Campaign Manager.',
    pt: 'O LinkedIn rejeita a conexão por um motivo desconhecido. Leia a mensagem de erro e verifique a regra de conversão no Campaign Manager.',
  },
  change: ['conversionRuleId'],
  credentials: eitherKind,
};
