import type { Texts } from '../../text/language.tsx';

interface SecurityTexts {
  readonly title: string;
  readonly intro: (email: string) => string;
  readonly back: string;
  readonly passkeys: string;
  readonly noPasskeys: string;
  readonly noPasskeysText: string;
  readonly oldBrowser: string;
  readonly unsupported: string;
  readonly add: string;
  readonly added: (name: string) => string;
  readonly name: string;
  readonly nameHint: string;
  readonly addedAt: string;
  readonly usedAt: string;
  readonly neverUsed: string;
  readonly actions: string;
  readonly rename: string;
  readonly renameNamed: (name: string) => string;
  readonly renameTitle: string;
  readonly renamed: (name: string) => string;
  readonly save: string;
  readonly remove: string;
  readonly removeNamed: (name: string) => string;
  readonly removeTitle: (name: string) => string;
  readonly removeText: string;
  readonly removed: (name: string) => string;
  readonly sessions: string;
  readonly device: string;
  readonly unknownDevice: string;
  readonly current: string;
  readonly seenAt: string;
  readonly startedAt: string;
  readonly end: string;
  readonly endNamed: (device: string) => string;
  readonly ended: string;
  readonly endOthers: string;
  readonly endedOthers: string;
  readonly password: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly passwordGuessable: string;
  readonly passwordHint: (min: number) => string;
  readonly passwordWrong: string;
  readonly changePassword: string;
  readonly passwordChanged: string;
}

const securityEn: SecurityTexts = {
  title: 'Security',
  intro: (email) => `How you sign in as ${email}, and where you are signed in.`,
  back: 'Back',
  passkeys: 'Passkeys',
  noPasskeys: 'No passkey yet',
  noPasskeysText:
    'Sign in with your fingerprint, your face or the PIN of your device, without password and code. Nobody can guess or copy a passkey.',
  oldBrowser: 'This browser has no passkeys. Open this page in Chrome or Edge 129, Firefox 119, Safari 18.4, or newer.',
  unsupported:
    'Passkeys need a host name, and this console is opened by an IP address. Ask your operator for its name.',
  add: 'Add a passkey',
  added: (name) => `Passkey added: ${name}`,
  name: 'Name',
  nameHint: 'Such as the device that keeps it.',
  addedAt: 'Added',
  usedAt: 'Last used',
  neverUsed: 'Not yet',
  actions: 'Actions',
  rename: 'Rename',
  renameNamed: (name) => `Rename ${name}`,
  renameTitle: 'Rename the passkey',
  renamed: (name) => `Renamed: ${name}`,
  save: 'Save',
  remove: 'Remove',
  removeNamed: (name) => `Remove ${name}`,
  removeTitle: (name) => `Remove “${name}”?`,
  removeText:
    'Nobody can sign in with this passkey any more. Delete it from your device or password manager as well. Sessions that it started stay open.',
  removed: (name) => `Passkey removed: ${name}`,
  sessions: 'Sessions',
  device: 'Device',
  unknownDevice: 'Unknown device',
  current: 'This session',
  seenAt: 'Last seen',
  startedAt: 'Started',
  end: 'End',
  endNamed: (device) => `End the session ${device}`,
  ended: 'The session has ended.',
  endOthers: 'End all others',
  endedOthers: 'All other sessions have ended.',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordGuessable: 'This password is easy to guess. Take some words that nobody would put together.',
  passwordHint: (min) => `${min} characters or more. A sentence is easy to remember.`,
  passwordWrong: 'The current password is wrong.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed. All other sessions have ended.',
};

const securityEs: SecurityTexts = {
  title: 'Seguridad',
  intro: (email) => `Cómo entras como ${email} y dónde tienes la sesión abierta.`,
  back: 'Volver',
  passkeys: 'Llaves de acceso',
  noPasskeys: 'Todavía no tienes llaves de acceso',
  noPasskeysText:
    'Entra con tu huella, tu cara o el PIN de tu dispositivo, sin contraseña ni código. Nadie puede adivinar ni copiar una llave de acceso.',
  oldBrowser:
    'Este navegador no admite llaves de acceso. Abre esta página en Chrome o Edge 129, Firefox 119, Safari 18.4 o posterior.',
  unsupported:
    'Las llaves de acceso necesitan un nombre de host, y esta consola se abre por una dirección IP. Pide su nombre a tu operador.',
  add: 'Agregar una llave de acceso',
  added: (name) => `Llave de acceso agregada: ${name}`,
  name: 'Nombre',
  nameHint: 'Por ejemplo, el dispositivo que la guarda.',
  addedAt: 'Agregada',
  usedAt: 'Último uso',
  neverUsed: 'Aún no',
  actions: 'Acciones',
  rename: 'Renombrar',
  renameNamed: (name) => `Renombrar ${name}`,
  renameTitle: 'Renombrar la llave de acceso',
  renamed: (name) => `Nuevo nombre: ${name}`,
  save: 'Guardar',
  remove: 'Quitar',
  removeNamed: (name) => `Quitar ${name}`,
  removeTitle: (name) => `¿Quitar «${name}»?`,
  removeText:
    'Ya nadie podrá entrar con esta llave de acceso. Bórrala también de tu dispositivo o gestor de contraseñas. Las sesiones que inició siguen abiertas.',
  removed: (name) => `Llave de acceso quitada: ${name}`,
  sessions: 'Sesiones',
  device: 'Dispositivo',
  unknownDevice: 'Dispositivo desconocido',
  current: 'Esta sesión',
  seenAt: 'Última actividad',
  startedAt: 'Inicio',
  end: 'Cerrar',
  endNamed: (device) => `Cerrar la sesión ${device}`,
  ended: 'La sesión se cerró.',
  endOthers: 'Cerrar todas las demás',
  endedOthers: 'Se cerraron todas las demás sesiones.',
  password: 'Contraseña',
  currentPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  passwordGuessable: 'Esta contraseña es fácil de adivinar. Usa algunas palabras que nadie juntaría.',
  passwordHint: (min) => `${min} caracteres o más. Una frase es fácil de recordar.`,
  passwordWrong: 'La contraseña actual no es correcta.',
  changePassword: 'Cambiar contraseña',
  passwordChanged: 'Contraseña cambiada. Se cerraron todas las demás sesiones.',
};

const securityPt: SecurityTexts = {
  title: 'Segurança',
  intro: (email) => `Como você entra como ${email} e onde sua sessão está aberta.`,
  back: 'Voltar',
  passkeys: 'Chaves de acesso',
  noPasskeys: 'Nenhuma chave de acesso ainda',
  noPasskeysText:
    'Entre com sua digital, seu rosto ou o PIN do seu dispositivo, sem senha nem código. Ninguém consegue adivinhar ou copiar uma chave de acesso.',
  oldBrowser:
    'Este navegador não tem chaves de acesso. Abra esta página no Chrome ou Edge 129, Firefox 119, Safari 18.4 ou mais novo.',
  unsupported:
    'Chaves de acesso precisam de um nome de host, e este console é aberto por um endereço IP. Peça o nome ao seu operador.',
  add: 'Adicionar uma chave de acesso',
  added: (name) => `Chave de acesso adicionada: ${name}`,
  name: 'Nome',
  nameHint: 'Por exemplo, o dispositivo que a guarda.',
  addedAt: 'Adicionada',
  usedAt: 'Último uso',
  neverUsed: 'Ainda não',
  actions: 'Ações',
  rename: 'Renomear',
  renameNamed: (name) => `Renomear ${name}`,
  renameTitle: 'Renomear a chave de acesso',
  renamed: (name) => `Novo nome: ${name}`,
  save: 'Salvar',
  remove: 'Remover',
  removeNamed: (name) => `Remover ${name}`,
  removeTitle: (name) => `Remover “${name}”?`,
  removeText:
    'Ninguém mais poderá entrar com esta chave de acesso. Apague-a também do seu dispositivo ou gerenciador de senhas. As sessões que ela iniciou continuam abertas.',
  removed: (name) => `Chave de acesso removida: ${name}`,
  sessions: 'Sessões',
  device: 'Dispositivo',
  unknownDevice: 'Dispositivo desconhecido',
  current: 'Esta sessão',
  seenAt: 'Última atividade',
  startedAt: 'Início',
  end: 'Encerrar',
  endNamed: (device) => `Encerrar a sessão ${device}`,
  ended: 'A sessão foi encerrada.',
  endOthers: 'Encerrar todas as outras',
  endedOthers: 'Todas as outras sessões foram encerradas.',
  password: 'Senha',
  currentPassword: 'Senha atual',
  newPassword: 'Senha nova',
  passwordGuessable: 'Esta senha é fácil de adivinhar. Use algumas palavras que ninguém juntaria.',
  passwordHint: (min) => `${min} caracteres ou mais. Uma frase é fácil de lembrar.`,
  passwordWrong: 'A senha atual está errada.',
  changePassword: 'Mudar senha',
  passwordChanged: 'Senha mudada. Todas as outras sessões foram encerradas.',
};

export const securityTexts: Texts<SecurityTexts> = { en: securityEn, es: securityEs, pt: securityPt };
