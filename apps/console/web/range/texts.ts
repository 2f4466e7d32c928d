import type { Texts } from '../text/language.tsx';

const rangeEn = {
  period: 'Period',
  presets: {
    today: 'Today',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '90d': 'Last 90 days',
    month: 'This month',
    'last-month': 'Last month',
  },
  earlier: 'Earlier period',
  later: 'Later period',
  custom: 'Other days',
  from: 'From',
  to: 'To',
  apply: 'Apply',
  wrong: (days: number) => `Choose a first day that is not after the last one, and at most ${days} days.`,
  zone: (name: string) => `Days begin at midnight in the time zone of the account: ${name}.`,
};

const rangeEs: typeof rangeEn = {
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
  zone: (name) => `Los días empiezan a medianoche en la zona horaria de la cuenta: ${name}.`,
};

const rangePt: typeof rangeEn = {
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
  zone: (name) => `Os dias começam à meia-noite no fuso horário da conta: ${name}.`,
};

export const rangeTexts: Texts<typeof rangeEn> = { en: rangeEn, es: rangeEs, pt: rangePt };
