import type { PlatformTexts } from '../texts.ts';

export const tiktokTexts: PlatformTexts = {
  en: {
    needed: 'You need the pixel code and an access token of the Events API.',
    fields: {
      pixelCode: { label: 'Pixel code', help: 'TikTok Events Manager → the pixel, below its name.' },
      accessToken: {
        label: 'Access token',
        help: 'TikTok Events Manager → the pixel → Settings → Events API → Generate access token.',
      },
    },
  },
  es: {
    needed: 'Necesitas el código del píxel y un token de acceso de la Events API.',
    fields: {
      pixelCode: {
        label: 'Código del píxel',
        help: 'Administrador de eventos de TikTok → el píxel, debajo de su nombre.',
      },
      accessToken: {
        label: 'Token de acceso',
        help: 'Administrador de eventos de TikTok → el píxel → Configuración → Events API → Generar token de acceso.',
      },
    },
  },
  pt: {
    needed: 'Você precisa do código do pixel e de um token de acesso da Events API.',
    fields: {
      pixelCode: { label: 'Código do pixel', help: 'Gerenciador de eventos do TikTok → o pixel, abaixo do nome.' },
      accessToken: {
        label: 'Token de acesso',
        help: 'Gerenciador de eventos do TikTok → o pixel → Configurações → Events API → Gerar token de acesso.',
      },
    },
  },
};
