import type { ConnectedReply } from '../../../src/contract/sources.ts';
import type { Texts } from '../../text/language.tsx';

const en = {
  title: (kind: string) => `Connect the store to ${kind}`,
  titleConnected: (store: string) => `Connected to the store ${store}`,
  text: 'You are taken to the other side, let the app in, and come back. Leadback then gets the access token and makes the webhooks of the orders itself.',
  again: 'Connect again if the app was removed from the store, its access token was refused, or webhooks are missing.',
  returnTo: 'Address to return to, for the app',
  needsApp: 'First enter the App ID and the client secret in the settings below, and save.',
  connect: 'Connect the store',
  connectAgain: 'Connect again',
  busy: 'Connecting the store…',
  outcomes: {
    connected: 'The store is connected. Its orders arrive from now on.',
    'state-refused':
      'This is not the answer to a connection that you started here within the last hour. Choose Connect the store, and finish in the same browser as the same person.',
    'app-refused':
      'The other side does not know the app, or its client secret is another one. Copy both again from the partner panel, save, and connect again.',
    'code-refused': 'The code has expired or was used before: it lasts some minutes. Connect again.',
    'scope-missing':
      'The app may not read orders. Give it the permission in the partner panel, and connect again: the store is asked once more.',
    'other-store':
      'You let the app into another store than the one of this source. Sign in to the right store and connect again, or add a source for the other one.',
    unavailable: 'The other side did not respond. Nothing was changed. Connect again in some minutes.',
  } satisfies Record<ConnectedReply['outcome'], string>,
  unsent: (events: string) =>
    `The other side did not make the webhooks of ${events}. Until it does, orders are fetched once an hour. Connect again in some minutes.`,
  mayNot: 'Only people who may change sources can connect the store.',
};

const es: typeof en = {
  title: (kind) => `Conectar la tienda a ${kind}`,
  titleConnected: (store) => `Conectada a la tienda ${store}`,
  text: 'Vas al otro lado, dejas entrar a la app y vuelves. Leadback recibe entonces el token de acceso y crea por sí mismo los webhooks de los pedidos.',
  again: 'Conecta de nuevo si la app se quitó de la tienda, si su token fue rechazado o si faltan webhooks.',
  returnTo: 'Dirección de regreso, para la app',
  needsApp: 'Primero escribe el App ID y el client secret en la configuración de abajo, y guarda.',
  connect: 'Conectar la tienda',
  connectAgain: 'Conectar de nuevo',
  busy: 'Conectando la tienda…',
  outcomes: {
    connected: 'La tienda está conectada. Sus pedidos llegan desde ahora.',
    'state-refused':
      'Esta no es la respuesta a una conexión que empezaste aquí en la última hora. Elige Conectar la tienda y termina en el mismo navegador, como la misma persona.',
    'app-refused':
      'El otro lado no conoce la app, o su client secret es otro. Copia los dos de nuevo del panel de socios, guarda y conecta otra vez.',
    'code-refused': 'El código venció o ya se usó: dura algunos minutos. Conecta de nuevo.',
    'scope-missing':
      'La app no puede leer pedidos. Dale el permiso en el panel de socios y conecta de nuevo: la tienda vuelve a preguntar.',
    'other-store':
      'Dejaste entrar a la app en otra tienda, no en la de esta fuente. Entra en la tienda correcta y conecta de nuevo, o añade una fuente para la otra.',
    unavailable: 'El otro lado no respondió. No cambió nada. Conecta de nuevo en unos minutos.',
  },
  unsent: (events) =>
    `El otro lado no creó los webhooks de ${events}. Mientras tanto, los pedidos se buscan una vez por hora. Conecta de nuevo en unos minutos.`,
  mayNot: 'Solo quien puede cambiar fuentes puede conectar la tienda.',
};

const pt: typeof en = {
  title: (kind) => `Conectar a loja à ${kind}`,
  titleConnected: (store) => `Conectada à loja ${store}`,
  text: 'Você vai ao outro lado, autoriza o app e volta. O Leadback recebe então o token de acesso e cria sozinho os webhooks dos pedidos.',
  again: 'Conecte de novo se o app foi removido da loja, se o token foi recusado ou se faltam webhooks.',
  returnTo: 'Endereço de retorno, para o app',
  needsApp: 'Primeiro digite o App ID e o client secret nas configurações abaixo e salve.',
  connect: 'Conectar a loja',
  connectAgain: 'Conectar de novo',
  busy: 'Conectando a loja…',
  outcomes: {
    connected: 'A loja está conectada. Seus pedidos chegam a partir de agora.',
    'state-refused':
      'Esta não é a resposta a uma conexão que você começou aqui na última hora. Escolha Conectar a loja e termine no mesmo navegador, como a mesma pessoa.',
    'app-refused':
      'O outro lado não conhece o app, ou o client secret é outro. Copie os dois de novo do painel de parceiros, salve e conecte outra vez.',
    'code-refused': 'O código expirou ou já foi usado: ele dura alguns minutos. Conecte de novo.',
    'scope-missing':
      'O app não pode ler pedidos. Dê a permissão no painel de parceiros e conecte de novo: a loja pergunta outra vez.',
    'other-store':
      'Você autorizou o app em outra loja, não na desta fonte. Entre na loja certa e conecte de novo, ou adicione uma fonte para a outra.',
    unavailable: 'O outro lado não respondeu. Nada mudou. Conecte de novo em alguns minutos.',
  },
  unsent: (events) =>
    `O outro lado não criou os webhooks de ${events}. Até lá, os pedidos são buscados uma vez por hora. Conecte de novo em alguns minutos.`,
  mayNot: 'Só quem pode alterar fontes pode conectar a loja.',
};

export const connectTexts: Texts<typeof en> = { en, es, pt };
