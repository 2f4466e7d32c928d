import type { PlatformTexts } from '../texts.ts';

export const metaTexts: PlatformTexts = {
  en: {
    needed: 'You need the data set (pixel) id and an access token of the Conversions API.',
    fields: {
      pixelId: { label: 'Data set (pixel) id', help: 'Events Manager → Data sources → the data set → Settings.' },
      refundEvent: {
        label: 'Refund event',
        help: 'An event name of its own, such as Refund, for what was taken back of a sale. Without it, refunds are skipped.',
      },
      actionSource: {
        label: 'Action source',
        help: 'Where conversions take place. website becomes system_generated where the browser of the visitor is unknown.',
      },
      accessToken: {
        label: 'Access token',
        help: 'Events Manager → the data set → Settings → Conversions API → Generate access token.',
      },
      appSecret: {
        label: 'App secret',
        help: 'developers.facebook.com → the app of the token → App settings → Basic. Only for apps that require appsecret_proof.',
      },
    },
  },
  es: {
    needed: 'Necesitas el id del conjunto de datos (píxel) y un token de acceso de la API de conversiones.',
    fields: {
      pixelId: {
        label: 'Id del conjunto de datos (píxel)',
        help: 'Administrador de eventos → Orígenes de datos → el conjunto de datos → Configuración.',
      },
      refundEvent: {
        label: 'Evento de reembolso',
        help: 'Un nombre de evento propio, como Refund, para lo que se devolvió de una venta. Sin él, los reembolsos se omiten.',
      },
      actionSource: {
        label: 'Origen de la acción',
        help: 'Dónde ocurren las conversiones. website pasa a system_generated si no se conoce el navegador del visitante.',
      },
      accessToken: {
        label: 'Token de acceso',
        help: 'Administrador de eventos → el conjunto de datos → Configuración → API de conversiones → Generar token de acceso.',
      },
      appSecret: {
        label: 'Clave secreta de la app',
        help: 'developers.facebook.com → la app del token → Configuración → Básica. Solo para apps que exigen appsecret_proof.',
      },
    },
  },
  pt: {
    needed: 'Você precisa do id do conjunto de dados (pixel) e de um token de acesso da API de Conversões.',
    fields: {
      pixelId: {
        label: 'Id do conjunto de dados (pixel)',
        help: 'Gerenciador de eventos → Fontes de dados → o conjunto de dados → Configurações.',
      },
      refundEvent: {
        label: 'Evento de reembolso',
        help: 'Um nome de evento próprio, como Refund, para o que foi devolvido de uma venda. Sem ele, reembolsos são omitidos.',
      },
      actionSource: {
        label: 'Origem da ação',
        help: 'Onde as conversões acontecem. website vira system_generated se o navegador do visitante é desconhecido.',
      },
      accessToken: {
        label: 'Token de acesso',
        help: 'Gerenciador de eventos → o conjunto de dados → Configurações → API de Conversões → Gerar token de acesso.',
      },
      appSecret: {
        label: 'Chave secreta do app',
        help: 'developers.facebook.com → o app do token → Configurações → Básico. Só para apps que exigem appsecret_proof.',
      },
    },
  },
};
