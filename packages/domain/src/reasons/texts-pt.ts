import type { ReasonTexts } from './text.ts';

export const portuguese: ReasonTexts = {
  event_too_old: {
    title: 'Antigo demais para a plataforma',
    meaning: (days) => `A plataforma não aceita eventos com mais de ${days} dias.`,
  },
  consent: {
    title: 'Sem consentimento',
    meaning:
      'O visitante não aceitou compartilhar os dados, você informou que a pessoa o negou, ou o navegador enviou Global Privacy Control.',
  },
  consent_withdrawn: {
    title: 'Consentimento retirado',
    meaning:
      'O visitante retirou o consentimento na página “Seus dados”, ou você informou que a pessoa o negou: nada mais é informado às plataformas.',
  },
  before_click: {
    title: 'Antes do clique',
    meaning:
      'A conversão aconteceu antes do clique, que não pode tê-la causado, e não há outro dado para reconhecer a pessoa.',
    remedy: 'Se a hora da conversão estiver errada, corrija-a na origem; se não, nada ajuda.',
  },
  superseded: {
    title: 'Substituído por um ajuste posterior',
    meaning: 'Um ajuste posterior foi entregue, e este o sobrescreveria.',
  },
  not_supported: {
    title: 'A plataforma não aceita isto',
    meaning: 'Não há como informar este ajuste à plataforma.',
    remedy: 'A Meta precisa de um evento de reembolso: um operador o configura na conexão.',
  },
  connection_deleted: {
    title: 'Conexão excluída',
    meaning: 'A conexão foi excluída enquanto isto esperava.',
  },
  no_match_keys: {
    title: 'Sem dados para reconhecer a pessoa',
    meaning:
      'A plataforma não consegue associar o evento a uma pessoa: não há id de clique nem dados de contato utilizáveis.',
    remedy: 'Registre os clientes com email ou telefone; reenviar ajuda quando o cliente tiver um deles.',
  },
  no_lead_event: {
    title: 'Sem nome para os leads',
    meaning: 'A conexão não diz como a plataforma chama os leads.',
    remedy: 'Um operador configura o evento de lead na conexão, ou deixa os leads de fora. Depois, reenvie.',
  },
  no_test_mode: {
    title: 'A plataforma não tem testes',
    meaning: 'A conversão é um teste, e a plataforma a contaria.',
  },
  no_test_event_code: {
    title: 'Sem código de eventos de teste',
    meaning: 'A conversão é um teste, e a conexão não tem código de eventos de teste.',
    remedy: 'Um operador configura um código de eventos de teste na conexão. Depois, reenvie.',
  },
  invalid_amount: {
    title: 'Sem valor utilizável',
    meaning: 'A plataforma não aceita uma venda sem um valor que consiga ler.',
  },
  nothing_taken_back: {
    title: 'Nada foi devolvido',
    meaning: 'O novo total não é menor que todos os anteriores, e a plataforma só é informada do que foi devolvido.',
  },
  refund_event_taken: {
    title: 'O nome do evento de reembolso já é usado',
    meaning: 'O evento de reembolso tem o nome de outro evento, e a plataforma o contaria.',
    remedy: 'Um operador dá ao evento de reembolso um nome próprio na conexão. Depois, reenvie.',
  },
  original_not_delivered: {
    title: 'A conversão não está na plataforma',
    meaning: 'A plataforma não tem a conversão que isto corrige.',
    remedy: 'Reenvie a conversão: isto vai junto.',
  },
  original_uncertain: {
    title: 'A conversão talvez não esteja na plataforma',
    meaning: 'Não se sabe se a plataforma usou a conversão que isto corrige.',
    remedy: 'Se a entrega da conversão tiver uma nota, reenvie-a: isto vai junto.',
  },
  original_sent_elsewhere: {
    title: 'A conversão foi para outro lugar',
    meaning: 'A conversão foi enviada com outras configurações da conexão. Lá, isto seria mais uma conversão.',
    remedy:
      'Corrija a conversão manualmente na plataforma; se a mudança de configurações foi um engano, desfaça-a e reenvie.',
  },
  original_pending: { title: 'Espera a conversão' },
  original_unconfirmed: { title: 'Espera a confirmação da conversão' },
  earlier_adjustment_pending: { title: 'Espera um ajuste anterior' },
  early: { title: 'Acontece mais tarde' },
  quota: { title: 'Espera a cota da plataforma' },
  connection_rests: { title: 'A plataforma está falhando: uma pausa breve' },
  internal_error: { title: 'Erro interno: será enviado de novo em breve' },
  currency_not_supported: {
    title: 'Moeda não aceita',
    meaning: 'A plataforma não aceita a moeda da venda.',
    remedy:
      'Um operador pode fazer com que essas vendas sejam enviadas sem o valor: é uma opção da conexão. Depois, reenvie.',
  },
  waiting: {
    title: 'A caminho',
    meaning: 'Está a caminho da plataforma, ou será tentada de novo.',
  },
  connection_paused: {
    title: 'Conexão pausada',
    meaning: 'A conexão está pausada: ela espera, e pode ficar antiga demais.',
    remedy: 'Retome a conexão.',
  },
  connection_needs_attention: {
    title: 'Conexão rejeitada',
    meaning: 'A plataforma rejeita a conexão: ela espera, e pode ficar antiga demais.',
    remedy: 'A conexão diz o que mudar; mude e retome.',
  },
  not_reported_yet: {
    title: 'Ainda sem relatório',
    meaning: 'A plataforma a aceitou e ainda não informou se a usou. Isso leva de meia hora a algumas horas.',
  },
  not_reported: {
    title: 'Sem relatório',
    meaning: 'A plataforma não informou se a usou. A nota da entrega diz o que ela informou em vez disso.',
    remedy: 'Um reenvio manda de novo; a plataforma conta uma vez só.',
  },
  retries_exhausted: {
    title: 'Tentada por três dias',
    meaning: 'A plataforma não esteve disponível, ou limitou as solicitações, por três dias.',
    remedy: 'Se já funciona, reenvie.',
  },
  CLICK_NOT_FOUND: {
    title: 'O Google não conhece o clique',
    meaning: 'O Google não conhece esse clique nesta conta.',
    remedy:
      'Verifique se a conexão tem a conta (id do cliente) cujos anúncios trouxeram o clique, e se lá a marcação automática está ativa.',
  },
  INVALID_OPERATING_ACCOUNT_FOR_CLICK: {
    title: 'Clique de outra conta',
    meaning: 'O clique é de anúncios de outra conta do Google, não da conta da conexão.',
    remedy:
      'Use a conta (id do cliente) dona dos anúncios, ou uma conta de administrador com acompanhamento de conversões entre contas.',
  },
  INVALID_GCLID: {
    title: 'Id do clique ilegível',
    meaning: 'O Google não consegue ler o id do clique: foi cortado ou alterado no caminho.',
    remedy: 'Leve os anúncios direto à landing page, sem encurtador nem redirecionamento que mude o endereço.',
  },
  CONVERSION_PRECEDES_CLICK: {
    title: 'Antes do clique',
    meaning: 'A conversão aconteceu antes do clique.',
    remedy: 'Se a hora da conversão estiver errada, corrija-a na origem; se não, nada ajuda.',
  },
  TOO_RECENT_CLICK: {
    title: 'Clique recente demais',
    meaning: 'O Google ainda não conhece o clique. É enviada de novo depois de seis horas.',
  },
  DENIED_CONSENT: {
    title: 'Sem consentimento no Google',
    meaning: 'O Google não tem o consentimento desta pessoa para usar os dados em anúncios.',
    remedy:
      'Peça-o na landing page ou informe-o com `consent`. Verifique também as configurações de consentimento da conta no Google Ads.',
  },
};
