import type { InvitationTexts } from './en.ts';

export const invitationPt: InvitationTexts = {
  title: 'Boas-vindas ao Leadback',
  intro: (email, role) => `Você recebeu um convite como ${role}, com o e-mail ${email}.`,
  roles: {
    admin: 'administrador',
    operator: 'operador',
    marketer: 'marketing',
    'partner-admin': 'administrador de parceiro',
    'partner-viewer': 'leitor de parceiro',
  },
  accounts: 'Contas',
  until: (time) => `Este link funciona uma vez, até ${time}.`,
  step: (step, steps) => `Passo ${step} de ${steps}`,
  password: 'Escolha uma senha',
  passwordGuessable: 'Esta senha é fácil de adivinhar. Use algumas palavras que ninguém juntaria.',
  passwordHint: (min) =>
    `Pelo menos ${min} caracteres. Uma frase que só você conhece é fácil de lembrar e difícil de adivinhar.`,
  next: 'Continuar',
  factorTitle: 'Configure seu segundo fator',
  scan: 'Escaneie a imagem com um aplicativo autenticador, como o do seu gerenciador de senhas. Depois digite o código que ele mostra.',
  qr: 'Código QR para seu aplicativo autenticador',
  secret: 'Sem câmera? Digite esta chave no aplicativo:',
  code: 'Código',
  codeHint: '6 dígitos. O aplicativo mostra um código novo a cada 30 segundos.',
  finish: 'Concluir e entrar',
  codeWrong: 'O código está errado ou já mudou. Digite o que o aplicativo mostra agora.',
  invalidTitle: 'Este convite não funciona',
  invalid: 'Ele já foi usado, venceu, ou o link está incompleto. Peça um novo à pessoa que convidou você.',
  toSignIn: 'Ir para a entrada',
};
