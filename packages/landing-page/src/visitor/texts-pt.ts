import type { VisitorTexts } from './visitor-texts.ts';

export const visitorPt: VisitorTexts = {
  title: 'Seus dados',
  intro: 'O que guardamos dos seus cliques em páginas deste site e quais plataformas foram informadas.',
  nothing: 'Este navegador não deixou nenhum clique aqui.',
  buffered: 'Este clique ainda está sendo salvo. Você já pode retirar o consentimento ou apagá-lo.',
  labels: {
    clicked: 'Data do clique',
    advertiser: 'Anunciante',
    campaign: 'Campanha',
    consent: 'Consentimento',
    signal: 'Sinal do navegador',
    name: 'Nome',
    email: 'E-mail',
    phone: 'Telefone',
    address: 'Endereço IP',
    told: 'Plataformas informadas',
    reference: 'Referência do clique',
  },
  consents: {
    given: 'Aceito',
    refused: 'Recusado',
    unpersonalised: 'Recusado para publicidade personalizada',
    unasked: 'Não perguntado',
  },
  withdrawnOn: (time) => `Retirado em ${time}: nada mais é enviado`,
  signalSent: 'Global Privacy Control',
  toldNobody: 'Nenhuma',
  toldOn: (platform, time) => `${platform}: a última vez em ${time}`,
  withdraw: 'Retirar o consentimento',
  erase: 'Apagar estes dados',
  lookUpTitle: 'Procurar outro clique',
  lookUpHint: 'Os 22 caracteres depois de serviceId= no endereço da página a que você chegou.',
  lookUp: 'Mostrar',
  all: 'Todos os cliques deste navegador',
  messages: {
    notFound:
      'Nenhum clique tem esta referência. Confira: maiúsculas contam. Um clique dos últimos minutos pode ainda não estar salvo.',
    expired:
      'Nada foi alterado: esse formulário ficou aberto por mais de 30 minutos ou não é desta página. Tente novamente.',
    withdrawn:
      'Consentimento retirado: nada mais deste clique é informado às plataformas. O que está sendo enviado agora ainda pode chegar em até dois minutos.',
  },
  confirm: {
    title: 'Apagar estes dados?',
    text: 'São apagados os dados de contato, o endereço IP, o navegador e os identificadores deste clique, e os do cliente que o anunciante registrou com ele. As vendas ficam como valores sem pessoa. Não é possível desfazer.',
    yes: 'Apagar agora',
    no: 'Manter',
  },
  asked: {
    title: 'Estamos apagando seus dados',
    text: 'Leva um minuto. O comprovante diz o que foi apagado, o que fica e quais plataformas já tinham sido informadas. Guarde o endereço dele: só aparece aqui.',
    link: 'Comprovante',
  },
  receipt: {
    title: 'Comprovante de exclusão',
    states: {
      pending: 'A exclusão está em andamento. Recarregue esta página em um minuto.',
      done: 'Os dados foram apagados.',
      failed: 'A exclusão falhou. O operador deste site precisa verificar.',
    },
    isSigned: 'A assinatura está correta: este comprovante foi emitido aqui e não foi alterado.',
    isNotSigned: 'A assinatura não está correta: não confie neste comprovante.',
    labels: {
      id: 'Comprovante',
      askedBy: 'Pedido por',
      requested: 'Pedido em',
      finished: 'Concluído em',
      key: 'Chave',
      signature: 'Assinatura (Ed25519)',
    },
    askers: { visitor: 'o visitante', partner: 'o anunciante', operator: 'o operador', console: 'o anunciante' },
    signedText: 'O texto assinado',
  },
  tooMany: { title: 'Solicitações demais', text: 'Volte em um minuto.' },
  notNow: {
    title: 'Não disponível agora',
    text: 'Neste momento não podemos mostrar nem alterar seus dados. Volte em cinco minutos.',
  },
};
