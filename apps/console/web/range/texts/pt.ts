import type { RangeTexts } from './en.ts';

export const rangePt: RangeTexts = {
  period: 'Período',
  presets: {
    today: 'Hoje',
    '7d': 'Últimos 7 dias',
    '30d': 'Últimos 30 dias',
    '90d': 'Últimos 90 dias',
    month: 'Este mês',
    'last-month': 'Mês passado',
  },
  earlier: 'Período anterior',
  later: 'Período seguinte',
  custom: 'Outros dias',
  from: 'De',
  to: 'Até',
  apply: 'Aplicar',
  wrong: (days) => `Escolha um primeiro dia que não seja depois do último, e no máximo ${days} dias.`,
  utc: 'Os dias começam à meia-noite UTC.',
};
