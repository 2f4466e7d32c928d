import type { UndeliveredTexts } from './en.ts';

export const undeliveredPt: UndeliveredTexts = {
  title: 'Não entregues',
  intro: 'Entregas que terminaram sem sucesso: o que se perdeu, por quê, e como enviar de novo.',
  total: (deliveries) => `Não entregues: ${deliveries}`,
  states: { failed: 'Com falha', skipped: 'Ignoradas', delivered: 'Problema informado depois' },
  connectionStates: { paused: 'Conexão pausada', needs_attention: 'A conexão precisa de atenção' },
  connection: (id) => `conexão ${id}`,
  columns: { reason: 'Motivo', deliveries: 'Entregas', conversions: 'Conversões', money: 'Valor', action: 'Ação' },
  otherReason: 'Outros motivos',
  platformWords: 'Nas palavras da plataforma',
  showDeliveries: 'Ver entregas',
  retry: 'Reenviar…',
  retryAll: 'Reenviar tudo…',
  mayNotRetry: 'Seu papel pode ler, mas não reenviar. Peça a um operador.',
  emptyTitle: 'Tudo foi entregue',
  empty: 'Nenhuma entrega desta conta falhou ou foi ignorada. Se acontecer, aparece aqui com o motivo e o valor.',
  emptyAction: 'Ver todas as entregas',
  waiting: 'Em andamento',
  waitingText: (deliveries) =>
    `${deliveries} pendentes: são enviadas ou reenviadas automaticamente, você não precisa fazer nada.`,
  partial: 'pelo menos',
  dialogTitle: 'Reenviar entregas',
  everything: 'Tudo o que não foi entregue',
  dialogText: (deliveries, conversions) =>
    `${deliveries} entregas de ${conversions} conversões são enviadas de novo às suas plataformas. O que foi entregue nesse meio-tempo fica de fora.`,
  held: (deliveries) =>
    `Mais ${deliveries} ficam como estão: a conexão está pausada ou precisa de atenção. Retome-a primeiro.`,
  nothing: 'Não há nada para reenviar: foi entregue ou reenviado nesse meio-tempo.',
  nothingHeld: 'Nada pode ser enviado enquanto a conexão está pausada ou precisa de atenção. Retome-a primeiro.',
  confirm: (deliveries, money) => (money === '' ? `Reenviar ${deliveries}` : `Reenviar ${deliveries} · ${money}`),
  started: 'O reenvio começou. Você pode sair desta página.',
  tasks: 'Reenvios',
  taskStates: { running: 'Em andamento', done: 'Concluído', failed: 'Falhou' },
  progress: (done, total) => `${done} de ${total}`,
  by: (person) => `por ${person}`,
  finished: (done) => `Reenvio concluído: ${done} entregas estão pendentes de novo.`,
};
