import type { Texts } from '../text/language.tsx';

const attentionEn = {
  titles: {
    needs_attention: (platform: string, connection: string) => `${platform} rejects the connection ${connection}`,
    paused: (platform: string, connection: string) => `The connection ${connection} to ${platform} is paused`,
  },
  nothingWaits: 'Nothing waits for it yet.',
  waits: (deliveries: string, money: string, isPartial: boolean): string => {
    if (money === '') return `Waiting until you act: ${deliveries}.`;
    return `Waiting until you act: ${deliveries}, worth ${isPartial ? 'at least ' : ''}${money}.`;
  },
  tooOld: 'The platform takes the oldest of them until',
  fix: { needs_attention: 'Fix the connection', paused: 'See the connection' },
  mayNotFix: 'Ask an operator to act.',
  untoldTitle: 'Sales that no platform was told of',
  untold: (sales: string, money: string) => `Sales: ${sales}, worth ${money}. No connection took them.`,
  untoldConnect: 'Connect a platform, then report them.',
  untoldReport: 'They can still be reported.',
  connect: 'Connect a platform',
  report: 'Report them now',
  chooseConnection: 'Choose the connection that reports them',
  orMore: (count: string) => `${count} or more`,
  others: (count: number) => `${count} more connections wait for you`,
  sources: {
    needs_attention: (source: string) => `The source ${source} needs you`,
    refused: (source: string) => `What the source ${source} is sent has a wrong signature`,
    paused: (source: string) => `The source ${source} is paused`,
  },
  sourceWaits: (messages: string) => `Messages that wait until you act: ${messages}.`,
  sourceRefused: (requests: string) => `Refused requests: ${requests}. The sales in them do not count.`,
  seeSource: 'See the source',
};

const attentionEs: typeof attentionEn = {
  titles: {
    needs_attention: (platform, connection) => `${platform} rechaza la conexión ${connection}`,
    paused: (platform, connection) => `La conexión ${connection} con ${platform} está en pausa`,
  },
  nothingWaits: 'Todavía nada la espera.',
  waits: (deliveries, money, isPartial) => {
    if (money === '') return `Esperan hasta que actúes: ${deliveries}.`;
    return `Esperan hasta que actúes: ${deliveries}, por ${isPartial ? 'al menos ' : ''}${money}.`;
  },
  tooOld: 'La plataforma acepta la más antigua hasta',
  fix: { needs_attention: 'Corregir la conexión', paused: 'Ver la conexión' },
  mayNotFix: 'Pide a un operador que actúe.',
  untoldTitle: 'Ventas que no se informaron a ninguna plataforma',
  untold: (sales, money) => `Ventas: ${sales}, por ${money}. Ninguna conexión las tomó.`,
  untoldConnect: 'Conecta una plataforma y después infórmalas.',
  untoldReport: 'Todavía se pueden informar.',
  connect: 'Conectar una plataforma',
  report: 'Informarlas ahora',
  chooseConnection: 'Elegir la conexión que las informa',
  orMore: (count) => `${count} o más`,
  others: (count) => `${count} conexiones más te esperan`,
  sources: {
    needs_attention: (source) => `La fuente ${source} te necesita`,
    refused: (source) => `Lo que recibe la fuente ${source} tiene una firma incorrecta`,
    paused: (source) => `La fuente ${source} está en pausa`,
  },
  sourceWaits: (messages) => `Mensajes que esperan hasta que actúes: ${messages}.`,
  sourceRefused: (requests) => `Llamadas rechazadas: ${requests}. Sus ventas no cuentan.`,
  seeSource: 'Ver la fuente',
};

const attentionPt: typeof attentionEn = {
  titles: {
    needs_attention: (platform, connection) => `${platform} rejeita a conexão ${connection}`,
    paused: (platform, connection) => `A conexão ${connection} com ${platform} está pausada`,
  },
  nothingWaits: 'Ainda nada espera por ela.',
  waits: (deliveries, money, isPartial) => {
    if (money === '') return `Esperam até que você aja: ${deliveries}.`;
    return `Esperam até que você aja: ${deliveries}, no valor de ${isPartial ? 'pelo menos ' : ''}${money}.`;
  },
  tooOld: 'A plataforma aceita a mais antiga até',
  fix: { needs_attention: 'Corrigir a conexão', paused: 'Ver a conexão' },
  mayNotFix: 'Peça a um operador que aja.',
  untoldTitle: 'Vendas que não foram informadas a nenhuma plataforma',
  untold: (sales, money) => `Vendas: ${sales}, no valor de ${money}. Nenhuma conexão as recebeu.`,
  untoldConnect: 'Conecte uma plataforma e depois informe-as.',
  untoldReport: 'Ainda podem ser informadas.',
  connect: 'Conectar uma plataforma',
  report: 'Informar agora',
  chooseConnection: 'Escolher a conexão que as informa',
  orMore: (count) => `${count} ou mais`,
  others: (count) => `Mais ${count} conexões esperam por você`,
  sources: {
    needs_attention: (source) => `A fonte ${source} precisa de você`,
    refused: (source) => `O que a fonte ${source} recebe tem uma assinatura incorreta`,
    paused: (source) => `A fonte ${source} está pausada`,
  },
  sourceWaits: (messages) => `Mensagens que esperam até que você aja: ${messages}.`,
  sourceRefused: (requests) => `Chamadas recusadas: ${requests}. As vendas nelas não contam.`,
  seeSource: 'Ver a fonte',
};

export const attentionTexts: Texts<typeof attentionEn> = { en: attentionEn, es: attentionEs, pt: attentionPt };
