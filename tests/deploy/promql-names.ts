import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** A label that an expression uses; without a value if it groups by the label. */
export interface NamedLabel {
  readonly name: string;
  readonly operator?: string;
  readonly value?: string;
}

export interface NamedMetric {
  readonly metric: string;
  readonly labels: readonly NamedLabel[];
}

const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

/** All metrics of a PromQL expression, with their labels. Throws if the expression is not PromQL. */
export const promqlNames = (expression: string): NamedMetric[] => {
  const textOf = (node: Node | null) => (node ? expression.slice(node.from, node.to) : '');

  const walk = (node: Node, groups: readonly NamedLabel[]): NamedMetric[] => {
    if (node.type.isError) throw new Error(`not PromQL from "${expression.slice(node.from)}" on: ${expression}`);
    if (node.name === 'VectorSelector') {
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      const labels = matchers.map((matcher) => ({
        name: textOf(matcher.getChild('LabelName')),
        operator: textOf(matcher.getChild('MatchOp')),
        value: textOf(matcher.getChild('StringLiteral')).slice(1, -1),
      }));
      return [{ metric: textOf(node.getChild('Identifier')), labels: [...labels, ...groups] }];
    }
    const grouped =
      node.name === 'AggregateExpr' ? node.getChild('AggregateModifier')?.getChild('GroupingLabels') : null;
    const own = grouped?.getChildren('LabelName').map((label) => ({ name: textOf(label) })) ?? [];
    return childrenOf(node).flatMap((child) => walk(child, [...groups, ...own]));
  };
  return walk(parser.parse(expression).topNode, []);
};
