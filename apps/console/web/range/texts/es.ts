import type { RangeTexts } from './en.ts';

export const rangeEs: RangeTexts = {
  period: 'Período',
  presets: {
    today: 'Hoy',
    '7d': 'Últimos 7 días',
    '30d': 'Últimos 30 días',
    '90d': 'Últimos 90 días',
    month: 'Este mes',
    'last-month': 'Mes pasado',
  },
  earlier: 'Período anterior',
  later: 'Período siguiente',
  custom: 'Otros días',
  from: 'Desde',
  to: 'Hasta',
  apply: 'Aplicar',
  wrong: (days) => `Elige un primer día que no sea posterior al último, y como máximo ${days} días.`,
  utc: 'Los días empiezan a medianoche UTC.',
};
