import type { ImportItem, ToldOutcome } from '../../../src/contract/imports.ts';
import type { Texts } from '../../text/language.tsx';

type Outcome = 'toCreate' | 'created' | 'existing' | 'repeated' | 'differs' | 'refused';

interface ImportsTexts {
  readonly title: string;
  readonly intro: string;
  readonly mayNot: string;
  readonly add: string;
  readonly content: string;
  readonly subjects: Readonly<Record<ImportItem['of'], string>>;
  readonly columns: Readonly<Record<ImportItem['of'], string>>;
  readonly template: string;
  readonly files: string;
  readonly name: (id: number) => string;
  readonly list: Readonly<Record<'file' | 'state' | 'rows' | 'created' | 'refused' | 'when', string>>;
  readonly states: Readonly<Record<ImportItem['state'], string>>;
  readonly dryRun: string;
  readonly notRegistered: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly waiting: string;
  readonly waitingText: string;
  readonly checking: (done: string, rows: string) => string;
  readonly registering: (done: string, rows: string) => string;
  readonly refusedTitle: string;
  readonly chooseAgain: string;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly preview: string;
  readonly nothing: string;
  readonly unshared: (rows: string) => string;
  readonly emailReferences: (rows: string) => string;
  readonly differs: (rows: string) => string;
  readonly register: (what: string) => string;
  readonly started: string;
  readonly showImport: (id: number) => string;
  readonly showDryRun: string;
  readonly rows: {
    readonly title: string;
    readonly show: string;
    readonly kinds: Readonly<Record<ToldOutcome, string>>;
    readonly line: string;
    readonly reference: Readonly<Record<ImportItem['of'], string>>;
    readonly noReference: string;
    readonly message: string;
    readonly download: string;
    readonly downloadAll: string;
    readonly none: string;
  };
}

const importsEn: ImportsTexts = {
  title: 'Imports',
  intro: 'Register sales or clients from a file. You see what would happen before anything is registered.',
  mayNot: 'Your role may see imports, but not send files. Ask an operator.',
  add: 'New import',
  content: 'Content',
  subjects: { conversion: 'Sales', client: 'Clients' },
  columns: {
    conversion:
      'Required columns: conversionExternalReference, amount, currency, and clientExternalReference or email.',
    client: 'Required column: leadReference. With externalReference, sales can name the client.',
  },
  template: 'Download a template',
  files: 'Files',
  name: (id) => `Import ${id}`,
  list: {
    file: 'File',
    state: 'State',
    rows: 'Rows',
    created: 'New',
    refused: 'To correct',
    when: 'Sent',
  },
  states: { pending: 'Waiting', running: 'Running', done: 'Done', refused: 'Not readable', failed: 'Failed' },
  dryRun: 'Dry run',
  notRegistered: 'Not registered yet',
  emptyTitle: 'No files yet',
  empty: 'Choose a CSV file above. Files that your backend imports through the API appear here as well.',
  waiting: 'Waiting for its turn',
  waitingText: 'Files of an account are processed one after the other. You can leave this page.',
  checking: (done, rows) => `Checking: ${done} of ${rows} rows`,
  registering: (done, rows) => `Registering: ${done} of ${rows} rows`,
  chooseAgain: 'Choose the corrected file',
  refusedTitle: 'The file cannot be read, and nothing was registered',
  outcomes: {
    toCreate: 'Would be registered',
    created: 'Registered',
    existing: 'Registered before',
    repeated: 'Registered before, alike',
    differs: 'Registered before, differently',
    refused: 'Refused',
  },
  preview: 'This was a dry run: nothing is registered yet. Check the counts, then register the rows.',
  nothing: 'This was a dry run, and none of its rows would be registered. Correct the file, then send it again.',
  unshared: (rows) =>
    `${rows} are of visitors who refused to share their data: they are registered, and no platform is told.`,
  emailReferences: (rows) =>
    `${rows} have an email as a reference. More people see references than emails: send an id of yours.`,
  differs: (rows) =>
    `${rows} have a reference that is registered with another amount, currency or client. The registered ones stay as they are.`,
  register: (what) => `Register ${what}`,
  started: 'Registration started. You can leave this page.',
  showImport: (id) => `Registered as import ${id}`,
  showDryRun: 'Show the dry run',
  rows: {
    title: 'Rows to look at',
    show: 'Show',
    kinds: { refused: 'Refused', differs: 'Registered differently', created: 'Too old for a platform' },
    line: 'Line',
    reference: { conversion: 'Sale', client: 'Client' },
    noReference: 'no reference',
    message: 'Reason',
    download: 'Download these rows',
    downloadAll: 'Download all rows',
    none: 'No row was refused, and none needs your attention.',
  },
};

const importsEs: ImportsTexts = {
  title: 'Importaciones',
  intro: 'Registra ventas o clientes desde un archivo. Ves qué pasaría antes de que se registre nada.',
  mayNot: 'Tu rol puede ver las importaciones, pero no enviar archivos. Pídelo a un operador.',
  add: 'Nueva importación',
  content: 'Contenido',
  subjects: { conversion: 'Ventas', client: 'Clientes' },
  columns: {
    conversion:
      'Columnas obligatorias: conversionExternalReference, amount, currency, y clientExternalReference o email.',
    client: 'Columna obligatoria: leadReference. Con externalReference, las ventas pueden nombrar al cliente.',
  },
  template: 'Descargar una plantilla',
  files: 'Archivos',
  name: (id) => `Importación ${id}`,
  list: {
    file: 'Archivo',
    state: 'Estado',
    rows: 'Filas',
    created: 'Nuevas',
    refused: 'Por corregir',
    when: 'Enviado',
  },
  states: { pending: 'En espera', running: 'En curso', done: 'Terminada', refused: 'Ilegible', failed: 'Falló' },
  dryRun: 'Simulación',
  notRegistered: 'Aún sin registrar',
  emptyTitle: 'Todavía no hay archivos',
  empty: 'Elige un archivo CSV arriba. Los archivos que tu backend importa por la API también aparecen aquí.',
  waiting: 'Esperando su turno',
  waitingText: 'Los archivos de una cuenta se procesan uno tras otro. Puedes salir de esta página.',
  checking: (done, rows) => `Comprobando: ${done} de ${rows} filas`,
  registering: (done, rows) => `Registrando: ${done} de ${rows} filas`,
  chooseAgain: 'Elegir el archivo corregido',
  refusedTitle: 'El archivo no se puede leer, y no se registró nada',
  outcomes: {
    toCreate: 'Se registrarían',
    created: 'Registradas',
    existing: 'Ya registradas',
    repeated: 'Ya registradas, iguales',
    differs: 'Ya registradas, distintas',
    refused: 'Rechazadas',
  },
  preview: 'Fue una simulación: aún no se registró nada. Revisa los números y luego registra las filas.',
  nothing: 'Fue una simulación, y ninguna fila se registraría. Corrige el archivo y envíalo otra vez.',
  unshared: (rows) =>
    `${rows} son de visitantes que no aceptaron compartir sus datos: se registran, pero no se informan a ninguna plataforma.`,
  emailReferences: (rows) =>
    `${rows} tienen un email como referencia. Más personas ven las referencias que los emails: envía un id propio.`,
  differs: (rows) =>
    `${rows} tienen una referencia ya registrada con otro importe, moneda o cliente. Lo registrado queda como está.`,
  register: (what) => `Registrar ${what}`,
  started: 'El registro empezó. Puedes salir de esta página.',
  showImport: (id) => `Registrado como importación ${id}`,
  showDryRun: 'Ver la simulación',
  rows: {
    title: 'Filas por revisar',
    show: 'Mostrar',
    kinds: { refused: 'Rechazadas', differs: 'Registradas distinto', created: 'Demasiado antiguas' },
    line: 'Línea',
    reference: { conversion: 'Venta', client: 'Cliente' },
    noReference: 'sin referencia',
    message: 'Motivo',
    download: 'Descargar estas filas',
    downloadAll: 'Descargar todas las filas',
    none: 'Ninguna fila fue rechazada ni necesita tu atención.',
  },
};

const importsPt: ImportsTexts = {
  title: 'Importações',
  intro: 'Registre vendas ou clientes a partir de um arquivo. Você vê o que aconteceria antes de registrar algo.',
  mayNot: 'Seu papel pode ver as importações, mas não enviar arquivos. Peça a um operador.',
  add: 'Nova importação',
  content: 'Conteúdo',
  subjects: { conversion: 'Vendas', client: 'Clientes' },
  columns: {
    conversion:
      'Colunas obrigatórias: conversionExternalReference, amount, currency, e clientExternalReference ou email.',
    client: 'Coluna obrigatória: leadReference. Com externalReference, as vendas podem indicar o cliente.',
  },
  template: 'Baixar um modelo',
  files: 'Arquivos',
  name: (id) => `Importação ${id}`,
  list: {
    file: 'Arquivo',
    state: 'Estado',
    rows: 'Linhas',
    created: 'Novas',
    refused: 'A corrigir',
    when: 'Enviado',
  },
  states: { pending: 'Na fila', running: 'Em andamento', done: 'Concluída', refused: 'Ilegível', failed: 'Falhou' },
  dryRun: 'Simulação',
  notRegistered: 'Ainda não registrada',
  emptyTitle: 'Ainda não há arquivos',
  empty: 'Escolha um arquivo CSV acima. Os arquivos que seu backend importa pela API também aparecem aqui.',
  waiting: 'Aguardando a vez',
  waitingText: 'Os arquivos de uma conta são processados um após o outro. Você pode sair desta página.',
  checking: (done, rows) => `Verificando: ${done} de ${rows} linhas`,
  registering: (done, rows) => `Registrando: ${done} de ${rows} linhas`,
  chooseAgain: 'Escolher o arquivo corrigido',
  refusedTitle: 'O arquivo não pode ser lido, e nada foi registrado',
  outcomes: {
    toCreate: 'Seriam registradas',
    created: 'Registradas',
    existing: 'Já registradas',
    repeated: 'Já registradas, iguais',
    differs: 'Já registradas, diferentes',
    refused: 'Recusadas',
  },
  preview: 'Foi uma simulação: nada foi registrado ainda. Confira os números e depois registre as linhas.',
  nothing: 'Foi uma simulação, e nenhuma linha seria registrada. Corrija o arquivo e envie de novo.',
  unshared: (rows) =>
    `${rows} são de visitantes que não aceitaram compartilhar seus dados: são registradas, mas não são informadas a nenhuma plataforma.`,
  emailReferences: (rows) =>
    `${rows} têm um email como referência. Mais pessoas veem as referências do que os emails: envie um id próprio.`,
  differs: (rows) =>
    `${rows} têm uma referência já registrada com outro valor, moeda ou cliente. O que está registrado fica como está.`,
  register: (what) => `Registrar ${what}`,
  started: 'O registro começou. Você pode sair desta página.',
  showImport: (id) => `Registrado como importação ${id}`,
  showDryRun: 'Ver a simulação',
  rows: {
    title: 'Linhas a conferir',
    show: 'Mostrar',
    kinds: { refused: 'Recusadas', differs: 'Registradas diferente', created: 'Antigas demais' },
    line: 'Linha',
    reference: { conversion: 'Venda', client: 'Cliente' },
    noReference: 'sem referência',
    message: 'Motivo',
    download: 'Baixar estas linhas',
    downloadAll: 'Baixar todas as linhas',
    none: 'Nenhuma linha foi recusada nem precisa de atenção.',
  },
};

export const importsTexts: Texts<ImportsTexts> = { en: importsEn, es: importsEs, pt: importsPt };
