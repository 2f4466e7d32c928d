export { brandOf, type Fact, timeIn } from './describe-lead.ts';
export { visitorTexts } from './texts.ts';
export type { VisitorMessage } from './visitor-texts.ts';
export { visitorStyle } from './visitor-style.ts';
export {
  renderErasureAsked,
  renderQuestion,
  renderReceipt,
  renderVisitorPage,
  type ShownLead,
  type VisitorPage,
} from './visitor-template.ts';
