import type { Texts } from '../text/language.tsx';

/** What the screens of the navigation are called. */
export type ScreenName =
  | 'overview'
  | 'find'
  | 'undelivered'
  | 'deliveries'
  | 'connections'
  | 'apiKeys'
  | 'audit'
  | 'accounts'
  | 'people'
  | 'imports'
  | 'reconciliation'
  | 'quality'
  | 'webhooks'
  | 'pages'
  | 'erasure';

const shellEn = {
  skip: 'Skip to content',
  screens: 'Screens',
  overview: 'Overview',
  find: 'Find',
  undelivered: 'Undelivered',
  deliveries: 'Deliveries',
  connections: 'Connections',
  apiKeys: 'API keys',
  audit: 'Audit log',
  accounts: 'Accounts',
  people: 'People',
  imports: 'Imports',
  reconciliation: 'Reconciliation',
  quality: 'Quality',
  webhooks: 'Webhooks',
  pages: 'Pages',
  erasure: 'Erasure',
  more: 'More',
  groups: { results: 'Results', delivery: 'Delivery', setup: 'Setup', data: 'Data', administration: 'Administration' },
  account: 'Account',
  suspended: 'suspended',
  suspendedNote: 'This account is suspended. Its API keys do not work, and nothing new is registered.',
  guessedCodes: (count: string, since: string) =>
    `Somebody who knew your password gave wrong codes (${count}) since ${since}. If that was not you, change your password now.`,
  guessedCodesChange: 'Change password',
  guessedCodesRead: 'I have read this',
  findAccount: 'Find an account',
  language: 'Language',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  roles: {
    admin: 'Administrator',
    operator: 'Operator',
    marketer: 'Marketer',
    'partner-admin': 'Partner administrator',
    'partner-viewer': 'Partner viewer',
  },
  menu: 'Menu',
  security: 'Security',
  signOut: 'Sign out',
  palette: 'Go to…',
  paletteHint: 'Type a screen, an account or a setting',
  paletteEmpty: 'Nothing has this name. Try a shorter word.',
  keys: '/ find · j k rows · Enter open · Esc close',
  switchTo: (account: string) => `Account: ${account}`,
  noAccount: 'No account yet',
  noAccountText: 'Your sign-in works, but it has no account. Ask the person who invited you for access to one.',
};

const shellEs: typeof shellEn = {
  skip: 'Saltar al contenido',
  screens: 'Pantallas',
  overview: 'Resumen',
  find: 'Buscar',
  undelivered: 'Sin entregar',
  deliveries: 'Entregas',
  connections: 'Conexiones',
  apiKeys: 'Claves de API',
  audit: 'Auditoría',
  accounts: 'Cuentas',
  people: 'Personas',
  imports: 'Importaciones',
  reconciliation: 'Conciliación',
  quality: 'Calidad',
  webhooks: 'Webhooks',
  pages: 'Páginas',
  erasure: 'Borrado',
  more: 'Más',
  groups: {
    results: 'Resultados',
    delivery: 'Entrega',
    setup: 'Configuración',
    data: 'Datos',
    administration: 'Administración',
  },
  account: 'Cuenta',
  suspended: 'suspendida',
  suspendedNote: 'Esta cuenta está suspendida. Sus claves de API no funcionan y no se registra nada nuevo.',
  guessedCodes: (count, since) =>
    `Alguien que conocía tu contraseña dio códigos incorrectos (${count}) desde ${since}. Si no eras tú, cambia ahora tu contraseña.`,
  guessedCodesChange: 'Cambiar la contraseña',
  guessedCodesRead: 'Lo he leído',
  findAccount: 'Buscar una cuenta',
  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Como el sistema', light: 'Claro', dark: 'Oscuro' },
  roles: {
    admin: 'Administrador',
    operator: 'Operador',
    marketer: 'Marketing',
    'partner-admin': 'Administrador de socio',
    'partner-viewer': 'Lector de socio',
  },
  menu: 'Menú',
  security: 'Seguridad',
  signOut: 'Salir',
  palette: 'Ir a…',
  paletteHint: 'Escribe una pantalla, una cuenta o un ajuste',
  paletteEmpty: 'Nada tiene ese nombre. Prueba una palabra más corta.',
  keys: '/ buscar · j k filas · Enter abrir · Esc cerrar',
  switchTo: (account) => `Cuenta: ${account}`,
  noAccount: 'Todavía no hay cuenta',
  noAccountText: 'Tu acceso funciona, pero no tiene ninguna cuenta. Pide acceso a la persona que te invitó.',
};

const shellPt: typeof shellEn = {
  skip: 'Pular para o conteúdo',
  screens: 'Telas',
  overview: 'Resumo',
  find: 'Buscar',
  undelivered: 'Não entregues',
  deliveries: 'Entregas',
  connections: 'Conexões',
  apiKeys: 'Chaves de API',
  audit: 'Auditoria',
  accounts: 'Contas',
  people: 'Pessoas',
  imports: 'Importações',
  reconciliation: 'Conciliação',
  quality: 'Qualidade',
  webhooks: 'Webhooks',
  pages: 'Páginas',
  erasure: 'Exclusão',
  more: 'Mais',
  groups: {
    results: 'Resultados',
    delivery: 'Entrega',
    setup: 'Configuração',
    data: 'Dados',
    administration: 'Administração',
  },
  account: 'Conta',
  suspended: 'suspensa',
  suspendedNote: 'Esta conta está suspensa. Suas chaves de API não funcionam e nada novo é registrado.',
  guessedCodes: (count, since) =>
    `Alguém que sabia sua senha deu códigos errados (${count}) desde ${since}. Se não foi você, mude sua senha agora.`,
  guessedCodesChange: 'Mudar a senha',
  guessedCodesRead: 'Já li',
  findAccount: 'Buscar uma conta',
  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Como o sistema', light: 'Claro', dark: 'Escuro' },
  roles: {
    admin: 'Administrador',
    operator: 'Operador',
    marketer: 'Marketing',
    'partner-admin': 'Administrador de parceiro',
    'partner-viewer': 'Leitor de parceiro',
  },
  menu: 'Menu',
  security: 'Segurança',
  signOut: 'Sair',
  palette: 'Ir para…',
  paletteHint: 'Digite uma tela, uma conta ou um ajuste',
  paletteEmpty: 'Nada tem esse nome. Tente uma palavra mais curta.',
  keys: '/ buscar · j k linhas · Enter abrir · Esc fechar',
  switchTo: (account) => `Conta: ${account}`,
  noAccount: 'Ainda não há conta',
  noAccountText: 'Seu acesso funciona, mas não tem nenhuma conta. Peça acesso à pessoa que convidou você.',
};

export const shellTexts: Texts<typeof shellEn> = { en: shellEn, es: shellEs, pt: shellPt };
