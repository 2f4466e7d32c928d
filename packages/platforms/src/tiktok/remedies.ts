import type { Remedy } from '../exchange.ts';

export const token: Remedy = {
  words: {
    en: 'The access token is not valid: it is incomplete, has expired, or was revoked. Generate a new one in Events Manager: the pixel, Settings, Events API, "Generate access token".',
    es: 'El token de acceso no es válido: está incompleto, caducó o fue revocado. Genera uno nuevo en el Administrador de eventos: el píxel, Configuración, Events API, «Generar token de acceso».',
    pt: 'O token de acesso não é válido: está incompleto, expirou ou foi revogado. Gere um novo no Gerenciador de eventos: o pixel, Configurações, Events API, "Gerar token de acesso".',
  },
  change: ['accessToken'],
};
export const pixel: Remedy = {
  words: {
    en: 'The access token may not send events to this pixel. Compare the pixel code with Events Manager, and generate the token in the settings of that pixel.',
    es: 'El token de acceso no tiene permiso para enviar eventos a este píxel. Compara el código del píxel con el Administrador de eventos y genera el token en la configuración de ese píxel.',
    pt: 'O token de acesso não tem permissão para enviar eventos a este pixel. Compare o código do pixel com o Gerenciador de eventos e gere o token nas configurações desse pixel.',
  },
  change: ['pixelCode', 'accessToken'],
};
export const noPixel: Remedy = {
  words: {
    en: 'There is no pixel with this code, or it was deleted. Compare the pixel code with Events Manager, and generate a token in the settings of that pixel.',
    es: 'No hay ningún píxel con este código, o fue eliminado. Compara el código del píxel con el Administrador de eventos y genera un token en la configuración de ese píxel.',
    pt: 'Não há pixel com este código, ou ele foi excluído. Compare o código do pixel com o Gerenciador de eventos e gere um token nas configurações desse pixel.',
  },
  change: ['pixelCode', 'accessToken'],
};
export const other: Remedy = {
  words: {
    en: 'TikTok rejects the connection for an unknown reason. Read the error message and check the pixel in Events Manager.',
    es: 'TikTok rechaza la conexión por un motivo desconocido. Lee el mensaje de error y revisa el píxel en el Administrador de eventos.',
    pt: 'O TikTok rejeita a conexão por um motivo desconhecido. Leia a mensagem de erro e verifique o pixel no Gerenciador de eventos.',
  },
  change: ['pixelCode', 'accessToken'],
};
