import type { Measure, ReconciliationItem, Replay } from '../../../src/contract/reconciliations.ts';
import type { Texts } from '../../text/language.tsx';

interface ReconciliationTexts {
  readonly title: string;
  readonly intro: string;
  readonly mayNot: string;
  readonly add: string;
  readonly period: string;
  readonly columns: string;
  readonly lists: string;
  readonly name: (id: number) => string;
  readonly list: Readonly<Record<'name' | 'state' | 'rows' | 'missing' | 'differs' | 'extra' | 'when', string>>;
  readonly states: Readonly<Record<ReconciliationItem['state'], string>>;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly comparing: (done: string, rows: string) => string;
  readonly found: string;
  readonly alike: string;
  readonly failed: string;
  readonly outcome: string;
  readonly count: string;
  readonly amount: string;
  readonly registeredAs: string;
  readonly outcomes: Readonly<Record<Measure, { readonly title: string; readonly meaning: string }>>;
  readonly row: {
    readonly reference: string;
    readonly place: (number: string) => string;
    readonly listed: string;
    readonly registered: string;
    readonly occurred: string;
    readonly detail: string;
  };
  readonly deliveries: string;
  readonly noRows: string;
  readonly download: string;
  readonly downloadAll: string;
  readonly replay: string;
  readonly dialogTitle: string;
  readonly trying: string;
  readonly confirm: (what: string) => string;
  readonly started: string;
  readonly wouldRegister: (rows: string) => string;
  readonly nothingToRegister: string;
  readonly registeredSince: (rows: string) => string;
  readonly notRegistered: (rows: string) => string;
  readonly withoutTime: (rows: string) => string;
  readonly replays: Readonly<Record<Replay['state'], (what: string) => string>>;
  readonly compareAgain: string;
}

const reconciliationEn: ReconciliationTexts = {
  title: 'Reconciliation',
  intro: 'Compare your own list of sales with what is registered, and register what is missing.',
  mayNot: 'Your role may see comparisons, but not send lists. Ask an operator.',
  add: 'Compare a list',
  period: 'Period of the list (UTC)',
  columns:
    'Required columns: conversionExternalReference, amount, currency. To register what is missing: clientExternalReference or email, and occurredAt.',
  lists: 'Lists',
  name: (id) => `List ${id}`,
  list: {
    name: 'List',
    state: 'State',
    rows: 'Rows',
    missing: 'Missing',
    differs: 'Different',
    extra: 'Extra',
    when: 'Sent',
  },
  states: { pending: 'Waiting', running: 'Comparing', done: 'Done', failed: 'Failed' },
  emptyTitle: 'No lists yet',
  empty: 'Export your sales of last month with one line per sale, then choose the file above.',
  comparing: (done, rows) => `Comparing: ${done} of ${rows} rows`,
  found: 'Comparison',
  alike: 'Both sides have the same sales',
  failed: 'An internal error has stopped the work. What was done is kept. Send the list again.',
  outcome: 'Outcome',
  count: 'Rows',
  amount: 'Amount',
  registeredAs: 'registered:',
  outcomes: {
    missing: { title: 'Missing', meaning: 'In your list and not registered; the client is known.' },
    missingWithoutClient: {
      title: 'Missing, without a client',
      meaning: 'In your list and not registered; no client matches. Usual for buyers who did not come from an ad.',
    },
    extra: { title: 'Extra', meaning: 'Registered in this period and not in your list. Retract cancelled orders.' },
    amountDiffers: { title: 'Different amount', meaning: 'Registered with another amount than in your list.' },
    currencyDiffers: { title: 'Different currency', meaning: 'Registered with another currency than in your list.' },
    undelivered: { title: 'Not delivered', meaning: 'Alike on both sides, but a platform was not told.' },
    duplicateInList: { title: 'Twice in the list', meaning: 'An earlier row of your list has the same reference.' },
    refused: { title: 'Refused', meaning: 'A field of the row is invalid. Correct it, then send the list again.' },
    matched: { title: 'Alike', meaning: 'Registered as in your list.' },
  },
  row: {
    reference: 'Sale',
    place: (number) => `row ${number}`,
    listed: 'In the list',
    registered: 'Registered',
    occurred: 'Occurred',
    detail: 'Details',
  },
  deliveries: 'Deliveries',
  noRows: 'No row has this outcome.',
  download: 'Download these rows',
  downloadAll: 'Download all rows',
  replay: 'Register what is missing…',
  dialogTitle: 'Register missing sales',
  trying: 'Counting…',
  confirm: (what) => `Register ${what}`,
  started: 'Registration started. You can leave this page.',
  wouldRegister: (rows) =>
    `${rows} sales would be registered, each at the time that the list gives. Nothing is registered twice.`,
  nothingToRegister: 'Nothing can be registered: no row names a known client, or all were registered in the meantime.',
  registeredSince: (rows) => `${rows} were registered in the meantime.`,
  notRegistered: (rows) => `${rows} cannot be registered: their client is unknown or they differ. The rows say why.`,
  withoutTime: (rows) => `${rows} have no time in the list: they count as of now.`,
  replays: {
    running: (what) => `Registering: ${what} so far.`,
    done: (what) => `Registered from this list: ${what}.`,
    failed: (what) => `An internal error has stopped the registration after ${what}. Register again.`,
  },
  compareAgain: 'Send the list again to see the result.',
};

const reconciliationEs: ReconciliationTexts = {
  title: 'Conciliación',
  intro: 'Compara tu propia lista de ventas con lo registrado, y registra lo que falta.',
  mayNot: 'Tu rol puede ver las comparaciones, pero no enviar listas. Pídelo a un operador.',
  add: 'Comparar una lista',
  period: 'Período de la lista (UTC)',
  columns:
    'Columnas obligatorias: conversionExternalReference, amount, currency. Para registrar lo que falta: clientExternalReference o email, y occurredAt.',
  lists: 'Listas',
  name: (id) => `Lista ${id}`,
  list: {
    name: 'Lista',
    state: 'Estado',
    rows: 'Filas',
    missing: 'Faltan',
    differs: 'Distintas',
    extra: 'De más',
    when: 'Enviada',
  },
  states: { pending: 'En espera', running: 'Comparando', done: 'Terminada', failed: 'Falló' },
  emptyTitle: 'Todavía no hay listas',
  empty: 'Exporta tus ventas del mes pasado con una línea por venta, y elige el archivo arriba.',
  comparing: (done, rows) => `Comparando: ${done} de ${rows} filas`,
  found: 'Comparación',
  alike: 'Ambos lados tienen las mismas ventas',
  failed: 'Un error interno detuvo el trabajo. Lo hecho se conserva. Envía la lista otra vez.',
  outcome: 'Resultado',
  count: 'Filas',
  amount: 'Importe',
  registeredAs: 'registrado:',
  outcomes: {
    missing: { title: 'Faltan', meaning: 'Están en tu lista y no se registraron; el cliente se conoce.' },
    missingWithoutClient: {
      title: 'Faltan, sin cliente',
      meaning:
        'Están en tu lista y no se registraron; ningún cliente coincide. Es normal si el comprador no vino de un anuncio.',
    },
    extra: {
      title: 'De más',
      meaning: 'Registradas en este período y ausentes de tu lista. Anula los pedidos cancelados.',
    },
    amountDiffers: { title: 'Importe distinto', meaning: 'Registradas con un importe distinto al de tu lista.' },
    currencyDiffers: { title: 'Moneda distinta', meaning: 'Registradas con una moneda distinta a la de tu lista.' },
    undelivered: { title: 'Sin entregar', meaning: 'Iguales en ambos lados, pero una plataforma no fue informada.' },
    duplicateInList: { title: 'Repetidas en la lista', meaning: 'Una fila anterior tiene la misma referencia.' },
    refused: { title: 'Rechazadas', meaning: 'Un campo de la fila no es válido. Corrígelo y envía la lista otra vez.' },
    matched: { title: 'Iguales', meaning: 'Registradas como en tu lista.' },
  },
  row: {
    reference: 'Venta',
    place: (number) => `fila ${number}`,
    listed: 'En la lista',
    registered: 'Registrado',
    occurred: 'Fecha',
    detail: 'Detalles',
  },
  deliveries: 'Entregas',
  noRows: 'Ninguna fila tiene este resultado.',
  download: 'Descargar estas filas',
  downloadAll: 'Descargar todas las filas',
  replay: 'Registrar lo que falta…',
  dialogTitle: 'Registrar ventas que faltan',
  trying: 'Contando…',
  confirm: (what) => `Registrar ${what}`,
  started: 'El registro empezó. Puedes salir de esta página.',
  wouldRegister: (rows) =>
    `Se registrarían ${rows} ventas, cada una en la fecha de la lista. Nada se registra dos veces.`,
  nothingToRegister:
    'No se puede registrar nada: ninguna fila nombra un cliente conocido, o ya se registraron mientras tanto.',
  registeredSince: (rows) => `${rows} se registraron mientras tanto.`,
  notRegistered: (rows) =>
    `${rows} no se pueden registrar: su cliente no se conoce o son distintas. Las filas dicen por qué.`,
  withoutTime: (rows) => `${rows} no tienen fecha en la lista: cuentan desde ahora.`,
  replays: {
    running: (what) => `Registrando: ${what} hasta ahora.`,
    done: (what) => `Registrado desde esta lista: ${what}.`,
    failed: (what) => `Un error interno detuvo el registro después de ${what}. Registra otra vez.`,
  },
  compareAgain: 'Envía la lista otra vez para ver el resultado.',
};

const reconciliationPt: ReconciliationTexts = {
  title: 'Conciliação',
  intro: 'Compare sua própria lista de vendas com o que está registrado, e registre o que falta.',
  mayNot: 'Seu papel pode ver as comparações, mas não enviar listas. Peça a um operador.',
  add: 'Comparar uma lista',
  period: 'Período da lista (UTC)',
  columns:
    'Colunas obrigatórias: conversionExternalReference, amount, currency. Para registrar o que falta: clientExternalReference ou email, e occurredAt.',
  lists: 'Listas',
  name: (id) => `Lista ${id}`,
  list: {
    name: 'Lista',
    state: 'Estado',
    rows: 'Linhas',
    missing: 'Faltam',
    differs: 'Diferentes',
    extra: 'A mais',
    when: 'Enviada',
  },
  states: { pending: 'Na fila', running: 'Comparando', done: 'Concluída', failed: 'Falhou' },
  emptyTitle: 'Ainda não há listas',
  empty: 'Exporte suas vendas do mês passado com uma linha por venda, e escolha o arquivo acima.',
  comparing: (done, rows) => `Comparando: ${done} de ${rows} linhas`,
  found: 'Comparação',
  alike: 'Os dois lados têm as mesmas vendas',
  failed: 'Um erro interno parou o trabalho. O que foi feito fica guardado. Envie a lista de novo.',
  outcome: 'Resultado',
  count: 'Linhas',
  amount: 'Valor',
  registeredAs: 'registrado:',
  outcomes: {
    missing: { title: 'Faltam', meaning: 'Estão na sua lista e não foram registradas; o cliente é conhecido.' },
    missingWithoutClient: {
      title: 'Faltam, sem cliente',
      meaning:
        'Estão na sua lista e não foram registradas; nenhum cliente corresponde. É normal se o comprador não veio de um anúncio.',
    },
    extra: {
      title: 'A mais',
      meaning: 'Registradas neste período e ausentes da sua lista. Retire os pedidos cancelados.',
    },
    amountDiffers: { title: 'Valor diferente', meaning: 'Registradas com um valor diferente do da sua lista.' },
    currencyDiffers: { title: 'Moeda diferente', meaning: 'Registradas com uma moeda diferente da da sua lista.' },
    undelivered: { title: 'Não entregues', meaning: 'Iguais nos dois lados, mas uma plataforma não foi informada.' },
    duplicateInList: { title: 'Repetidas na lista', meaning: 'Uma linha anterior tem a mesma referência.' },
    refused: { title: 'Recusadas', meaning: 'Um campo da linha é inválido. Corrija-o e envie a lista de novo.' },
    matched: { title: 'Iguais', meaning: 'Registradas como na sua lista.' },
  },
  row: {
    reference: 'Venda',
    place: (number) => `linha ${number}`,
    listed: 'Na lista',
    registered: 'Registrado',
    occurred: 'Data',
    detail: 'Detalhes',
  },
  deliveries: 'Entregas',
  noRows: 'Nenhuma linha tem este resultado.',
  download: 'Baixar estas linhas',
  downloadAll: 'Baixar todas as linhas',
  replay: 'Registrar o que falta…',
  dialogTitle: 'Registrar vendas que faltam',
  trying: 'Contando…',
  confirm: (what) => `Registrar ${what}`,
  started: 'O registro começou. Você pode sair desta página.',
  wouldRegister: (rows) =>
    `${rows} vendas seriam registradas, cada uma na data da lista. Nada é registrado duas vezes.`,
  nothingToRegister:
    'Nada pode ser registrado: nenhuma linha indica um cliente conhecido, ou já foram registradas nesse meio-tempo.',
  registeredSince: (rows) => `${rows} foram registradas nesse meio-tempo.`,
  notRegistered: (rows) =>
    `${rows} não podem ser registradas: o cliente não é conhecido ou são diferentes. As linhas dizem por quê.`,
  withoutTime: (rows) => `${rows} não têm data na lista: contam a partir de agora.`,
  replays: {
    running: (what) => `Registrando: ${what} até agora.`,
    done: (what) => `Registrado desta lista: ${what}.`,
    failed: (what) => `Um erro interno parou o registro depois de ${what}. Registre de novo.`,
  },
  compareAgain: 'Envie a lista de novo para ver o resultado.',
};

export const reconciliationTexts: Texts<ReconciliationTexts> = {
  en: reconciliationEn,
  es: reconciliationEs,
  pt: reconciliationPt,
};
