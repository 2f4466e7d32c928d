import type { AskedErasure, StartedErasure } from '../../../src/contract/erasures.ts';
import type { Texts } from '../../text/language.tsx';

interface ErasureTexts {
  readonly title: string;
  readonly intro: string;
  readonly formTitle: string;
  readonly by: string;
  readonly bys: Readonly<Record<StartedErasure['by'], string>>;
  readonly emailField: string;
  readonly emailHint: string;
  readonly referenceField: string;
  readonly referenceHint: string;
  readonly count: string;
  readonly nobodyTitle: string;
  readonly nobody: string;
  readonly foundTitle: string;
  readonly erased: string;
  readonly stays: string;
  readonly liveClients: string;
  readonly testClients: string;
  readonly leads: string;
  readonly importedRows: string;
  readonly countedLater: string;
  readonly conversions: string;
  readonly pendingDeliveries: string;
  readonly elsewhere: string;
  readonly erase: string;
  readonly dialogTitle: string;
  readonly dialogText: string;
  readonly typeEmail: string;
  readonly typeReference: string;
  readonly confirm: string;
  readonly startedToast: string;
  readonly doneToast: string;
  readonly nobodyToast: string;
  readonly startedTitle: string;
  readonly states: Readonly<Record<StartedErasure['state'], string>>;
  readonly stateTexts: Readonly<Record<StartedErasure['state'], string>>;
  readonly startedBy: (actor: string) => string;
  readonly askedTitle: string;
  readonly askedIntro: string;
  readonly askedBadge: string;
  readonly lapses: string;
  readonly ways: Readonly<Record<AskedErasure['way'], string>>;
  readonly askedDialogText: string;
  readonly receipts: string;
  readonly receiptsEmptyTitle: string;
  readonly receiptsEmpty: string;
  readonly receipt: (id: string) => string;
  readonly columns: Readonly<Record<'receipt' | 'at' | 'actor' | 'erased' | 'kept' | 'download', string>>;
  readonly erasedOf: (clients: string, leads: string, rows: string) => string;
  readonly keptOf: (conversions: string) => string;
  readonly download: string;
  readonly allow: string;
  readonly allowed: string;
}

const erasureEn: ErasureTexts = {
  title: 'Erasure',
  intro: 'Erase the personal data of one person from this account, live and test, for good.',
  formTitle: 'Who asks to be erased?',
  by: 'Find by',
  bys: { email: 'Email', reference: 'Client reference', lead: 'Lead reference' },
  emailField: 'Email of the person',
  emailHint: 'Also finds visitors who only entered it on a landing page.',
  referenceField: 'External reference of the client',
  referenceHint: 'As your backend registered it.',
  count: 'Count what is erased',
  nobodyTitle: 'Nobody was found',
  nobody:
    'This account has no personal data under this name. Check the spelling and the account. A person who was erased before is not found again: look at the receipts below.',
  foundTitle: 'What happens to this person',
  erased: 'Erased',
  stays: 'Stays',
  liveClients: 'Live clients',
  testClients: 'Test clients',
  leads: 'Leads with their click ids',
  importedRows: 'Rows of imported files',
  countedLater: 'too many to count now; all are read',
  conversions: 'Conversions: amount, day and order id',
  pendingDeliveries: 'Pending deliveries that will be skipped',
  elsewhere:
    'What was delivered to platforms stays there: ask for erasure at the platforms too. Backups keep the data until they expire.',
  erase: 'Erase…',
  dialogTitle: 'Erase for good?',
  dialogText: 'This cannot be undone. The person can no longer be found by email or reference.',
  typeEmail: 'Type the email to confirm',
  typeReference: 'Type the reference to confirm',
  confirm: 'Erase for good',
  startedToast: 'Erasure started.',
  doneToast: 'Erased. The receipt is in the list.',
  nobodyToast: 'Nothing was erased: nobody was found. The receipt says so.',
  startedTitle: 'Requests',
  states: { pending: 'In progress', failed: 'Failed' },
  stateTexts: {
    pending: 'It goes on without this page.',
    failed: 'Internal error: nothing was erased. Start it again; if it fails again, give support its number.',
  },
  startedBy: (email) => `by ${email}`,
  askedTitle: 'Asked for by visitors',
  askedIntro:
    'You decide. Make sure that the lead is of the person who asks you, then erase it. What you do not erase in 30 days is forgotten.',
  askedBadge: 'Asked',
  lapses: '· you have until',
  ways: {
    reference: 'The visitor had only the lead reference, which goes through URLs. Nothing is erased yet.',
    cookie:
      'The browser left this lead, and its data are erased. Several clients came from it: they may be several persons.',
  },
  askedDialogText:
    'The lead with this reference and all its clients are erased. This cannot be undone. Sales stay as amounts without a person.',
  receipts: 'Receipts',
  receiptsEmptyTitle: 'No receipts yet',
  receiptsEmpty:
    'Each erasure leaves a receipt here, without personal data: what was erased, how much, when and by whom.',
  receipt: (id) => `Receipt ${id}`,
  columns: { receipt: 'Receipt', at: 'When', actor: 'By', erased: 'Erased', kept: 'Stays', download: 'Download' },
  erasedOf: (clients, leads, rows) => `clients: ${clients} · leads: ${leads} · imported rows: ${rows}`,
  keptOf: (conversions) => `conversions: ${conversions}`,
  download: 'Download',
  allow: 'Allow again',
  allowed: 'The account may register this person again.',
};

const erasureEs: ErasureTexts = {
  title: 'Borrado',
  intro: 'Borra para siempre los datos personales de una persona en esta cuenta, reales y de prueba.',
  formTitle: '¿Quién pide que se borren sus datos?',
  by: 'Buscar por',
  bys: { email: 'Correo', reference: 'Referencia del cliente', lead: 'Referencia del lead' },
  emailField: 'Correo de la persona',
  emailHint: 'También encuentra a quien solo lo escribió en una página.',
  referenceField: 'Referencia externa del cliente',
  referenceHint: 'Tal como la registró tu sistema.',
  count: 'Contar lo que se borra',
  nobodyTitle: 'No se encontró a nadie',
  nobody:
    'Esta cuenta no tiene datos personales con ese nombre. Revisa la escritura y la cuenta. Una persona ya borrada no se vuelve a encontrar: mira los comprobantes de abajo.',
  foundTitle: 'Qué pasa con esta persona',
  erased: 'Se borra',
  stays: 'Se conserva',
  liveClients: 'Clientes reales',
  testClients: 'Clientes de prueba',
  leads: 'Leads con sus ids de clic',
  importedRows: 'Filas de archivos importados',
  countedLater: 'demasiadas para contarlas ahora; se leen todas',
  conversions: 'Conversiones: importe, día e id de pedido',
  pendingDeliveries: 'Entregas pendientes que se omitirán',
  elsewhere:
    'Lo que se entregó a las plataformas sigue allí: pide el borrado también a ellas. Las copias de seguridad conservan los datos hasta que vencen.',
  erase: 'Borrar…',
  dialogTitle: '¿Borrar para siempre?',
  dialogText: 'No se puede deshacer. La persona ya no se podrá encontrar por correo ni por referencia.',
  typeEmail: 'Escribe el correo para confirmar',
  typeReference: 'Escribe la referencia para confirmar',
  confirm: 'Borrar para siempre',
  startedToast: 'Borrado iniciado.',
  doneToast: 'Borrado. El comprobante está en la lista.',
  nobodyToast: 'No se borró nada: no se encontró a nadie. El comprobante lo dice.',
  startedTitle: 'Solicitudes',
  states: { pending: 'En curso', failed: 'Falló' },
  stateTexts: {
    pending: 'Sigue sin esta página.',
    failed: 'Error interno: no se borró nada. Inícialo de nuevo; si vuelve a fallar, da su número a soporte.',
  },
  startedBy: (email) => `por ${email}`,
  askedTitle: 'Pedidos de visitantes',
  askedIntro:
    'Decides tú. Comprueba que el lead es de la persona que te lo pide y bórralo. Lo que no borres en 30 días se olvida.',
  askedBadge: 'Pedido',
  lapses: '· tienes hasta el',
  ways: {
    reference: 'Quien lo pidió solo tenía la referencia del lead, que pasa por URL. Todavía no se borró nada.',
    cookie:
      'El navegador dejó este lead y sus datos están borrados. De él vinieron varios clientes: pueden ser varias personas.',
  },
  askedDialogText:
    'Se borran el lead con esta referencia y todos sus clientes. No se puede deshacer. Las ventas quedan como importes sin persona.',
  receipts: 'Comprobantes',
  receiptsEmptyTitle: 'Todavía no hay comprobantes',
  receiptsEmpty:
    'Cada borrado deja aquí un comprobante sin datos personales: qué se borró, cuánto, cuándo y quién lo hizo.',
  receipt: (id) => `Comprobante ${id}`,
  columns: {
    receipt: 'Comprobante',
    at: 'Cuándo',
    actor: 'Por',
    erased: 'Borrado',
    kept: 'Conservado',
    download: 'Descargar',
  },
  erasedOf: (clients, leads, rows) => `clientes: ${clients} · leads: ${leads} · filas importadas: ${rows}`,
  keptOf: (conversions) => `conversiones: ${conversions}`,
  download: 'Descargar',
  allow: 'Permitir de nuevo',
  allowed: 'La cuenta puede volver a registrar a esta persona.',
};

const erasurePt: ErasureTexts = {
  title: 'Exclusão',
  intro: 'Apague para sempre os dados pessoais de uma pessoa nesta conta, reais e de teste.',
  formTitle: 'Quem pede a exclusão?',
  by: 'Buscar por',
  bys: { email: 'E-mail', reference: 'Referência do cliente', lead: 'Referência do lead' },
  emailField: 'E-mail da pessoa',
  emailHint: 'Também encontra quem só o digitou em uma página.',
  referenceField: 'Referência externa do cliente',
  referenceHint: 'Como o seu sistema a registrou.',
  count: 'Contar o que será apagado',
  nobodyTitle: 'Ninguém foi encontrado',
  nobody:
    'Esta conta não tem dados pessoais com esse nome. Confira a grafia e a conta. Uma pessoa já apagada não é encontrada de novo: veja os comprovantes abaixo.',
  foundTitle: 'O que acontece com esta pessoa',
  erased: 'É apagado',
  stays: 'Permanece',
  liveClients: 'Clientes reais',
  testClients: 'Clientes de teste',
  leads: 'Leads com seus ids de clique',
  importedRows: 'Linhas de arquivos importados',
  countedLater: 'muitas para contar agora; todas são lidas',
  conversions: 'Conversões: valor, dia e id do pedido',
  pendingDeliveries: 'Entregas pendentes que serão ignoradas',
  elsewhere:
    'O que foi entregue às plataformas continua lá: peça a exclusão também a elas. As cópias de segurança guardam os dados até expirarem.',
  erase: 'Apagar…',
  dialogTitle: 'Apagar para sempre?',
  dialogText: 'Não é possível desfazer. A pessoa não poderá mais ser encontrada por e-mail nem por referência.',
  typeEmail: 'Digite o e-mail para confirmar',
  typeReference: 'Digite a referência para confirmar',
  confirm: 'Apagar para sempre',
  startedToast: 'Exclusão iniciada.',
  doneToast: 'Apagado. O comprovante está na lista.',
  nobodyToast: 'Nada foi apagado: ninguém foi encontrado. O comprovante diz isso.',
  startedTitle: 'Solicitações',
  states: { pending: 'Em andamento', failed: 'Falhou' },
  stateTexts: {
    pending: 'Continua sem esta página.',
    failed: 'Erro interno: nada foi apagado. Inicie de novo; se falhar outra vez, informe o número ao suporte.',
  },
  startedBy: (email) => `por ${email}`,
  askedTitle: 'Pedidos de visitantes',
  askedIntro:
    'Você decide. Confirme que o lead é da pessoa que pede e apague-o. O que você não apagar em 30 dias é esquecido.',
  askedBadge: 'Pedido',
  lapses: '· você tem até',
  ways: {
    reference: 'Quem pediu só tinha a referência do lead, que passa por URLs. Nada foi apagado ainda.',
    cookie:
      'O navegador deixou este lead, e os dados dele foram apagados. Vários clientes vieram dele: podem ser várias pessoas.',
  },
  askedDialogText:
    'O lead com esta referência e todos os seus clientes são apagados. Não é possível desfazer. As vendas ficam como valores sem pessoa.',
  receipts: 'Comprovantes',
  receiptsEmptyTitle: 'Ainda não há comprovantes',
  receiptsEmpty:
    'Cada exclusão deixa aqui um comprovante sem dados pessoais: o que foi apagado, quanto, quando e por quem.',
  receipt: (id) => `Comprovante ${id}`,
  columns: {
    receipt: 'Comprovante',
    at: 'Quando',
    actor: 'Por',
    erased: 'Apagado',
    kept: 'Permanece',
    download: 'Baixar',
  },
  erasedOf: (clients, leads, rows) => `clientes: ${clients} · leads: ${leads} · linhas importadas: ${rows}`,
  keptOf: (conversions) => `conversões: ${conversions}`,
  download: 'Baixar',
  allow: 'Permitir de novo',
  allowed: 'A conta pode registrar esta pessoa de novo.',
};

export const erasureTexts: Texts<ErasureTexts> = { en: erasureEn, es: erasureEs, pt: erasurePt };
