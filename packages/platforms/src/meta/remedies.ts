import type { Remedy } from '../exchange.ts';

export const token: Remedy = {
  words: {
    en: 'The access token is not valid: it has expired, was revoked, or is incomplete. Generate a new one in Events Manager: data set, Settings, Conversions API, "Generate access token".',
    es: 'El token de acceso no es válido: caducó, fue revocado o está incompleto. Genera uno nuevo en el Administrador de eventos: conjunto de datos, Configuración, API de conversiones, «Generar token de acceso».',
    pt: 'O token de acesso não é válido: expirou, foi revogado ou está incompleto. Gere um novo no Gerenciador de eventos: conjunto de dados, Configurações, API de Conversões, "Gerar token de acesso".',
  },
  change: ['accessToken'],
};
export const permission: Remedy = {
  words: {
    en: 'The access token may not send events to this data set. In Business settings, grant "Manage" on the data set to the system user of the token; or generate a token in Events Manager, in the settings of the data set itself.',
    es: 'El token de acceso no tiene permiso para enviar eventos a este conjunto de datos. En la Configuración del negocio, da al usuario del sistema del token el permiso de administrar el conjunto de datos; o genera un token en el Administrador de eventos, en la configuración del propio conjunto de datos.',
    pt: 'O token de acesso não tem permissão para enviar eventos a este conjunto de dados. Nas Configurações do negócio, dê ao usuário do sistema do token a permissão de gerenciar o conjunto de dados; ou gere um token no Gerenciador de eventos, nas configurações do próprio conjunto de dados.',
  },
  change: ['accessToken'],
};
export const dataSet: Remedy = {
  words: {
    en: 'There is no data set (pixel) with this id, or the access token has no access to it. Compare the id with Events Manager, and generate the token in the settings of that data set.',
    es: 'No hay ningún conjunto de datos (píxel) con este id, o el token de acceso no tiene acceso a él. Compara el id con el Administrador de eventos y genera el token en la configuración de ese conjunto de datos.',
    pt: 'Não há conjunto de dados (pixel) com este id, ou o token de acesso não tem acesso a ele. Compare o id com o Gerenciador de eventos e gere o token nas configurações desse conjunto de dados.',
  },
  change: ['pixelId', 'accessToken'],
};
export const proof: Remedy = {
  words: {
    en: 'Meta requires an appsecret_proof with each request, and received none or a wrong one. The app that issued the access token requires it ("Require app secret" in its advanced settings): set the secret of that same app (App settings, Basic), or turn the requirement off there.',
    es: 'Meta exige un appsecret_proof con cada solicitud, y no recibió ninguno o recibió uno incorrecto. Lo exige la app que emitió el token de acceso («Require app secret» en su configuración avanzada): ingresa la clave secreta de esa misma app (Configuración, Básica), o desactiva allí la exigencia.',
    pt: 'A Meta exige um appsecret_proof em cada solicitação, e não recebeu nenhum ou recebeu um errado. Quem o exige é o app que emitiu o token de acesso ("Require app secret" nas configurações avançadas): informe a chave secreta desse mesmo app (Configurações, Básico), ou desative lá a exigência.',
  },
  change: ['appSecret'],
};
export const version: Remedy = {
  words: {
    en: 'Meta has retired the version of the Graph API that this installation uses. The credentials are valid. Upgrade Leadback.',
    es: 'Meta retiró la versión de la Graph API que usa esta instalación. Las credenciales son válidas. Actualiza Leadback.',
    pt: 'A Meta desativou a versão da Graph API que esta instalação usa. As credenciais são válidas. Atualize o Leadback.',
  },
  change: [],
};
export const other: Remedy = {
  words: {
    en: 'Meta rejects the connection for an unknown reason. Read the error message and check the data set in Events Manager.',
    es: 'Meta rechaza la conexión por un motivo desconocido. Lee el mensaje de error y revisa el conjunto de datos en el Administrador de eventos.',
    pt: 'A Meta rejeita a conexão por um motivo desconhecido. Leia a mensagem de erro e verifique o conjunto de dados no Gerenciador de eventos.',
  },
  change: ['pixelId', 'accessToken'],
};
