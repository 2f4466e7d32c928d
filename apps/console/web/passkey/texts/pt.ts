import type { PasskeyTexts } from './en.ts';

export const passkeyPt: PasskeyTexts = {
  signIn: 'Entrar com uma chave de acesso',
  or: 'ou',
  confirm: 'Confirmar com uma chave de acesso',
  notGiven: 'Nenhuma chave de acesso foi usada. Você fechou a janela do navegador ou demorou demais. Tente de novo.',
  isKnown: 'Este dispositivo já tem uma chave de acesso sua. Adicione uma em outro dispositivo.',
  refused: 'Esta chave de acesso é desconhecida ou foi removida. Entre de outra forma e veja suas chaves em Segurança.',
};
